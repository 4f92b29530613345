# All kinds of blocks in JSON, next to native syntax.

# step: apply
output "native" {
  value = [local.text, corpus_thing.t.text]
}
# file: other.tf.json
{
  "//": "A comment.",
  "terraform": [{ "required_version": ">= 1.0" }],
  "provider": { "corpus": [{ "alias": "other", "service": "${var.service}" }, { "token": "t" }] },
  "variable": {
    "service": {
      "type": "string",
      "default": "${not} a \"template\"",
      "validation": { "condition": "${length(var.service) > 1}", "error_message": "Too short: ${var.service}." }
    },
    "sizes": { "type": "list(number)", "default": [1, 2] }
  },
  "locals": [
    {
      "text": "a %{ if true }\"b\"%{ endif } $${c}\n\\",
      "list": ["${1 + 1}", 3, null, true, { "${upper(\"k\")}": "v" }]
    }
  ],
  "resource": [
    {
      "corpus_thing": {
        "t": {
          "//": "A comment.",
          "provider": "corpus.other",
          "name": "t",
          "text": "${join(\",\", [for it in var.sizes : \"${it}}\"])}",
          "depends_on": ["corpus_blocks.b"],
          "lifecycle": {
            "create_before_destroy": true,
            "precondition": [{ "condition": "${var.sizes[0] == 1}", "error_message": "Not one." }]
          }
        }
      }
    },
    {
      "corpus_blocks": {
        "b": {
          "name": "b",
          "dynamic": {
            "disk": {
              "for_each": "${var.sizes}",
              "iterator": "it",
              "content": { "size": "${it.value}", "partition": [{ "label": "x" }, { "label": "y", "size": 2 }] }
            }
          }
        }
      }
    }
  ],
  "data": { "corpus_echo": { "e": { "any": "${local.list}" } } },
  "module": {
    "m": {
      "source": "./m",
      "for_each": "${toset([\"x\"])}",
      "text": "${each.key}",
      "providers": { "corpus": "corpus.other" }
    }
  },
  "output": {
    "list": { "value": "${local.list}", "description": "A ${list}." },
    "secret": { "value": "${sensitive(1)}", "sensitive": true }
  },
  "check": { "c": { "assert": { "condition": "${corpus_thing.t.name == \"t\"}", "error_message": "Not t." } } },
  "moved": { "from": "corpus_thing.old", "to": "corpus_thing.t" }
}
# file: override.tf.json
{ "variable": { "service": { "default": "other" } } }
# file: m/main.tf.json
{
  "terraform": { "required_providers": { "corpus": { "source": "registry.terraform.io/example/corpus" } } },
  "variable": { "text": {} },
  "output": { "text": { "value": "${var.text}!" } }
}
# step: plan
# remove: override.tf.json
# file: other.tf.json
{
  "resource": { "corpus_thing": { "t": { "name": "t", "size": "x" } } },
  "output": { "text": { "value": "${local.missing}" } }
}
# step: validate
# file: other.tf.json
{
  "resource": {
    "corpus_thing": { "t": { "name": "t", "text": ["x"] } },
    "corpus_blocks": { "b": { "name": "b", "disk": [{ "size": 1 }, {}] } }
  }
}
# step: validate
# file: other.tf.json
{
  "resource": { "corpus_thing": { "t": 1 } }
}
# step: validate
# file: other.tf.json
{
  "resource": {
    "corpus_thing": { "t": { "name": "t", "other": 1 } },
    "corpus_blocks": { "b": { "name": "b", "disk": { "size": 1, "other": [{}] } } }
  }
}
# step: validate
# file: other.tf.json
{
  "locals": { "a": 1 },
  "other": { "b": 1 }
}
