# A change of an attribute replaces the object, other changes do not.

# step: apply
# variable: text = "a"
# variable: color = "red"
variable "text" {}
variable "color" {}

resource "corpus_thing" "a" {
  name  = "a"
  text  = var.text
  color = var.color
}

resource "corpus_thing" "b" {
  name = "b"

  lifecycle {
    replace_triggered_by = [corpus_thing.a.text]
  }
}
# step: apply
# variable: color = "green"
# step: apply
# variable: text = "b"
