# An attribute that requires replacement is unknown, so a replacement is planned.

# step: apply
# variable: text = "a"
variable "text" {}

resource "corpus_thing" "a" {
  name = "a"
  text = var.text
}

resource "corpus_thing" "b" {
  name = "b"
  zone = "revision ${corpus_thing.a.revision > 0}"
}
# step: apply
# variable: text = "b"
