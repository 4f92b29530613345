# A triggered replacement respects create_before_destroy.
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
    replace_triggered_by  = [corpus_thing.a.text]
    create_before_destroy = true
  }
}
# step: apply
# variable: text = "b"
