# Without it, dependents are destroyed first, and created last.
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
}
# step: apply
# variable: zone = "b"
