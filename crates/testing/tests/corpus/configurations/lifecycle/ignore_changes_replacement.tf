# An ignored attribute keeps its old value in a replacement for another reason.

# step: apply
# variable: text = "a"
# variable: zone = "x"
variable "text" {}
variable "zone" {}

resource "corpus_thing" "a" {
  name = "a"
  text = var.text
  zone = var.zone

  lifecycle {
    ignore_changes = [text]
  }
}
# step: apply
# variable: text = "b"
# variable: zone = "y"
