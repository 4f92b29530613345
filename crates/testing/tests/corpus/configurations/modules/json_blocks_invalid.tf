# Null, a string and a comment where JSON syntax has a block.

# step: validate
# file: main.tf.json
{
  "resource": { "corpus_blocks": { "b": { "name": "b", "disk": null, "owner": null, "volume": null } } }
}
# step: validate
# file: main.tf.json
{
  "resource": { "corpus_blocks": { "b": { "name": "b", "disk": "x" } } }
}
# step: validate
# file: main.tf.json
{
  "resource": { "corpus_blocks": { "b": { "name": "b", "disk": null, "owner": null, "rule": [null] } } }
}
# step: validate
# file: main.tf.json
{
  "resource": { "corpus_blocks": { "b": { "name": "b", "volume": { "v": "x" } } } }
}
# step: apply
# file: main.tf.json
{
  "resource": {
    "corpus_blocks": {
      "b": {
        "name": "b",
        "disk": { "//": "A comment.", "size": 1, "partition": [{ "//": "A comment.", "label": "p" }] },
        "volume": { "\"v\"": { "path": "p" }, "w\"": { "path": "p" } },
        "dynamic": {
          "rule": { "//": "A comment.", "for_each": [1], "content": { "//": "A comment.", "port": "${rule.value}" } }
        }
      }
    }
  }
}
