# A data source that depends on a resource with changes is read during apply.
# show: calls

# step: apply
# variable: text = "first"
variable "text" {}

resource "corpus_thing" "a" {
  name = "a"
  text = var.text
}

data "corpus_echo" "e" {
  value      = "fixed"
  depends_on = [corpus_thing.a]
}

resource "corpus_thing" "b" {
  name = "b"
  text = data.corpus_echo.e.result
}
# step: plan
# step: plan
# variable: text = "second"
