# Changes of the ignored attribute are not planned.

# step: apply
# variable: text = "a"
# variable: zone = "a"
variable "text" {}
variable "zone" {}

resource "corpus_thing" "a" {
  name = "a"
  text = var.text
  zone = var.zone

  lifecycle {
    ignore_changes = [text, zone]
  }
}
# step: apply
# variable: text = "b"
# variable: zone = "b"
