# A configuration in JSON.

# step: apply
# The rest is JSON.
# file: main.tf.json
{
  "variable": { "names": { "default": ["x", "y"] } },
  "locals": { "suffix": "${upper(\"z\")}" },
  "resource": {
    "corpus_thing": {
      "a": {
        "for_each": "${toset(var.names)}",
        "name": "${each.key}-${local.suffix}",
        "tags": { "kind": "json" },
        "lifecycle": { "ignore_changes": ["tags"] }
      }
    },
    "corpus_blocks": {
      "b": {
        "name": "b",
        "disk": [{ "size": 1 }, { "size": 2, "partition": { "label": "p" } }],
        "volume": { "home": { "path": "/home" } }
      }
    }
  },
  "output": { "ids": { "value": "${values(corpus_thing.a)[*].id}" } }
}
