# Only the object in the middle of a chain has create_before_destroy, which the first object gets from it.
# show: calls

# step: apply
# variable: zone = "a"
variable "zone" {}

resource "corpus_thing" "first" {
  name = "first"
  zone = var.zone
}

resource "corpus_thing" "second" {
  name = "second"
  zone = corpus_thing.first.id

  lifecycle {
    create_before_destroy = true
  }
}

resource "corpus_thing" "third" {
  name = "third"
  zone = corpus_thing.second.id
}
# step: apply
# variable: zone = "b"
