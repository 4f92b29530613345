# Three objects in a chain are replaced: the first one with create_before_destroy.
# show: calls

# step: apply
# variable: zone = "a"
variable "zone" {}

resource "corpus_thing" "first" {
  name = "first"
  zone = var.zone

  lifecycle {
    create_before_destroy = true
  }
}

resource "corpus_thing" "second" {
  name = "second"
  zone = corpus_thing.first.id
}

resource "corpus_thing" "third" {
  name = "third"
  zone = corpus_thing.second.id
}
# step: apply
# variable: zone = "b"
