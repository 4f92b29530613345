# If the destroy of the old object fails, it remains as a deposed object until the next apply.

# step: apply
# variable: zone = "a"
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
# variable: zone = "b"
# variable: fail = null
# step: plan
# step: apply
# change: main a-1 fail null
