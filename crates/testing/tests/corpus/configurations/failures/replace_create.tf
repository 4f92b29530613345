# If the new object cannot be created after the old one is deleted, nothing is in the state.

# step: apply
# variable: zone = "a"
# variable: fail = null
variable "zone" {}
variable "fail" {}

resource "corpus_thing" "a" {
  name = "a"
  zone = var.zone
  fail = var.fail
}
# step: apply
# variable: zone = "b"
# variable: fail = "create"
