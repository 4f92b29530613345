# An instance that is no longer configured cannot be destroyed.

# step: apply
# variable: n = 2
variable "n" {}

resource "corpus_thing" "a" {
  count = var.n
  name  = "a${count.index}"

  lifecycle {
    prevent_destroy = true
  }
}
# step: plan
# variable: n = 1
