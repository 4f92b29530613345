# The instance with the same index triggers the replacement.

# step: apply
# variable: texts = ["a", "b"]
variable "texts" {}

resource "corpus_thing" "a" {
  count = 2
  name  = "a${count.index}"
  text  = var.texts[count.index]
}

resource "corpus_thing" "b" {
  count = 2
  name  = "b${count.index}"

  lifecycle {
    replace_triggered_by = [corpus_thing.a[count.index]]
  }
}

resource "corpus_thing" "c" {
  name = "c"

  lifecycle {
    replace_triggered_by = [corpus_thing.a[0].length]
  }
}
# step: apply
# variable: texts = ["a", "changed"]
