# Another attribute changes, so the object is updated with the old value of the ignored one.

# step: apply
# variable: text = "a"
# variable: color = "red"
variable "text" {}
variable "color" {}

resource "corpus_thing" "a" {
  name  = "a"
  text  = var.text
  color = var.color

  lifecycle {
    ignore_changes = [text]
  }
}
# step: apply
# variable: text = "b"
# variable: color = "green"
