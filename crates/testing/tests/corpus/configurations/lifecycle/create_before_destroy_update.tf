# The dependent is updated before the old object is destroyed.
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
  text = corpus_thing.base.id
}
# step: apply
# variable: zone = "b"
