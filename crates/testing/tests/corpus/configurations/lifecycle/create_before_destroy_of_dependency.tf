# A replaced object depends on one that is replaced with create_before_destroy. It is destroyed first.
# show: calls

# step: apply
# variable: zone = "a"
variable "zone" {}

resource "corpus_thing" "base" {
  name = "base"
  zone = var.zone

  lifecycle {
    create_before_destroy = true
  }
}

resource "corpus_thing" "top" {
  name = "top"
  zone = corpus_thing.base.id
}
# step: apply
# variable: zone = "b"
