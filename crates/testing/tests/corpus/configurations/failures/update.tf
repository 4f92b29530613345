# An object that cannot be updated keeps its prior state.

# step: apply
# variable: fail = null
variable "fail" {}

resource "corpus_thing" "a" {
  name = "a"
  fail = var.fail
}

resource "corpus_thing" "dependent" {
  name = "dependent"
  text = "${corpus_thing.a.revision}"
}
# step: apply
# variable: fail = "update"
# step: apply
# variable: fail = null
