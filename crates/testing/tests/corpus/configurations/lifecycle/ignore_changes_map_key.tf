# One key of a map is ignored, others are not.

# step: apply
# variable: tags = {"a": "1", "b": "1"}
variable "tags" {}

resource "corpus_thing" "a" {
  name = "a"
  tags = var.tags

  lifecycle {
    ignore_changes = [tags["a"]]
  }
}
# step: apply
# variable: tags = {"a": "2", "b": "1"}
# step: apply
# variable: tags = {"b": "2", "c": "2"}
# step: apply
# variable: tags = null
