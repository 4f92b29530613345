# An import by identity.
# terraform: 1.12: resource identity
# tofu: no: it has no resource identity
# show: identity

# step: apply
resource "corpus_thing" "a" {
  name = "a"
}
# step: apply
import {
  to = corpus_thing.b
  identity = {
    id = "a-1"
  }
}

resource "corpus_thing" "a" {
  name = "a"
}

resource "corpus_thing" "b" {
  name = "a"
}
