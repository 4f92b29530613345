# Several instances that must not be destroyed.

# step: apply
# variable: n = 3
# variable: zone = "a"
variable "n" {}
variable "zone" {}

resource "corpus_thing" "a" {
  count = var.n
  name  = "a${count.index}"
  zone  = var.zone

  lifecycle {
    prevent_destroy = true
  }
}
# step: plan
# variable: n = 1
# step: plan
# variable: n = 3
# variable: zone = "b"
# step: plan
# variable: n = 2
# step: plan -destroy
# variable: n = 3
