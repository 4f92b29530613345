# All changes of the configuration are ignored.

# step: apply
# variable: text = "a"
variable "text" {}

resource "corpus_thing" "a" {
  name = "a"
  text = var.text
  tags = { text = var.text }

  lifecycle {
    ignore_changes = all
  }
}
# step: apply
# variable: text = "b"
