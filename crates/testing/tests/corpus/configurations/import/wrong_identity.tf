# An identity without a required attribute, and with one that does not exist.
# terraform: 1.12: resource identity
# tofu: no: it has no resource identity

# step: plan
import {
  to       = corpus_thing.b
  identity = {}
}

resource "corpus_thing" "b" {
  name = "a"
}
# step: plan
import {
  to       = corpus_thing.b
  identity = { id = "a", other = "b" }
}

resource "corpus_thing" "b" {
  name = "a"
}
# step: validate
import {
  to       = corpus_thing.b
  id       = "a-1"
  identity = { id = "a" }
}

resource "corpus_thing" "b" {
  name = "a"
}
