# A partially created object is tainted and replaced.

# step: apply
# variable: fail = "partial"
variable "fail" {}

resource "corpus_thing" "a" {
  name = "a"
  fail = var.fail
}

resource "corpus_thing" "dependent" {
  name = "dependent"
  text = corpus_thing.a.id
}
# step: plan
# step: apply
# variable: fail = null
