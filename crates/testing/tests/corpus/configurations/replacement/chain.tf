# A replaced object has a new ID, so its dependents are replaced in turn.
# show: calls

# step: apply
# variable: zone = "z"
variable "zone" {}

resource "corpus_thing" "a" {
  name = "a"
  zone = var.zone
}

resource "corpus_thing" "b" {
  name = "b"
  zone = corpus_thing.a.id
}

resource "corpus_thing" "c" {
  name = "c"
  zone = corpus_thing.b.id
}
# step: apply
# variable: zone = "y"
