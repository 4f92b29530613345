# Instances that are no longer configured are destroyed after the replacements are created.
# show: sorted calls

# step: apply
# variable: n = 2
# variable: zone = "a"
variable "n" {}
variable "zone" {}

resource "corpus_thing" "a" {
  count = var.n
  name  = "a${count.index}"
  zone  = var.zone

  lifecycle {
    create_before_destroy = true
  }
}
# step: apply
# variable: n = 1
# variable: zone = "b"
