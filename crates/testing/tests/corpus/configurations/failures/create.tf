# An object that cannot be created is not in the state, and dependents are skipped.
# show: sorted calls

# step: apply
# variable: fail = "create"
variable "fail" {}

resource "corpus_thing" "a" {
  name = "a"
  fail = var.fail
}

resource "corpus_thing" "dependent" {
  name = "dependent"
  text = corpus_thing.a.id
}

resource "corpus_thing" "other" {
  name = "other"
}
# step: apply
# variable: fail = null
