# An override file replaces the blocks of a resource in JSON syntax, and one in JSON syntax replaces those of any resource.

# step: plan
# file: main.tf.json
{
  "resource": {
    "corpus_blocks": {
      "a": {
        "name": "a",
        "disk": [{"size": 1}, {"size": 2}],
        "dynamic": {"rule": {"for_each": [1], "content": {"port": "${rule.value}"}}, "volume": {"for_each": ["v"], "labels": ["${volume.value}"], "content": {"path": "p"}}}
      }
    }
  }
}
# file: other.tf
resource "corpus_blocks" "b" {
  name = "b"
  disk {
    size = 1
  }
  dynamic "rule" {
    for_each = [1, 2]
    content {
      port = rule.value
    }
  }
}
# file: x_override.tf
resource "corpus_blocks" "a" {
  disk {
    size = 9
  }
  rule {
    port = 9
  }
}
# file: y_override.tf.json
{
  "resource": {
    "corpus_blocks": {
      "b": {
        "disk": {"size": 8},
        "dynamic": {"rule": {"for_each": [7], "content": {"port": "${rule.value}"}}}
      }
    }
  }
}
