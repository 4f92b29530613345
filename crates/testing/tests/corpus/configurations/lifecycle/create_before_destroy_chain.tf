# An object on which a create_before_destroy object depends is also replaced in this order.
# show: calls

# step: apply
# variable: zone = "a"
variable "zone" {}

resource "corpus_thing" "base" {
  name = "base"
  zone = var.zone
}

resource "corpus_thing" "top" {
  name = "top"
  zone = corpus_thing.base.id

  lifecycle {
    create_before_destroy = true
  }
}
# step: apply
# variable: zone = "b"
