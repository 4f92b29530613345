# A change of another resource replaces the object.
# show: calls

# step: apply
# variable: text = "a"
variable "text" {}

resource "corpus_thing" "a" {
  name = "a"
  text = var.text
}

resource "corpus_thing" "b" {
  name = "b"

  lifecycle {
    replace_triggered_by = [corpus_thing.a]
  }
}
# step: apply
# variable: text = "b"
