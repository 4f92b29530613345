# The replacement is created before the old object is destroyed.
# show: calls

# step: apply
# variable: zone = "a"
variable "zone" {}

resource "corpus_thing" "a" {
  name = "a"
  zone = var.zone

  lifecycle {
    create_before_destroy = true
  }
}
# step: apply
# variable: zone = "b"
