# An instance that is destroyed triggers no replacement.

# step: apply
# variable: n = 2
variable "n" {}

resource "corpus_thing" "a" {
  count = var.n
  name  = "a${count.index}"
}

resource "corpus_thing" "b" {
  name = "b"

  lifecycle {
    replace_triggered_by = [corpus_thing.a]
  }
}
# step: apply
# variable: n = 1
