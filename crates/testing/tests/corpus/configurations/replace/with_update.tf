# A replacement of an object that changes anyway.

# step: apply
# variable: text = "a"
variable "text" {}

resource "corpus_thing" "a" {
  name = "a"
  text = var.text
}
# step: apply -replace=corpus_thing.a
# variable: text = "b"
