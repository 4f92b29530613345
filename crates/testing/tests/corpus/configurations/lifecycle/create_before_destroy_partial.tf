# If the replacement is only partially created, it is tainted, and the old object remains as a deposed object.

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
# variable: fail = "partial"
# step: apply
# variable: fail = null
