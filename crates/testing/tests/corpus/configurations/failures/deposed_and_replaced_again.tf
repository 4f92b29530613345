# A deposed object and another replacement: both old objects are destroyed.
# show: sorted calls

# step: apply
# variable: zone = "x"
# variable: fail = "delete"
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
# variable: zone = "y"
# variable: fail = null
# step: apply
# change: main a-1 fail null
# variable: zone = "z"
