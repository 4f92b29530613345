# If the replacement cannot be created, the old object remains.

# step: apply
# variable: zone = "a"
# variable: fail = null
variable "zone" {}
variable "fail" {}

resource "corpus_thing" "a" {
  name = "a"
  zone = var.zone
  fail = var.fail

  lifecycle {
    create_before_destroy = true
  }
}
# step: apply
# variable: zone = "b"
# variable: fail = "create"
# step: apply
# variable: fail = null
