# An object that depends on the removed one is updated.
# tofu: no: it has no removed blocks
# show: calls

# step: apply
resource "corpus_thing" "a" {
  name = "a"
}

resource "corpus_thing" "b" {
  name = "b"
  text = corpus_thing.a.id
}
# step: apply
removed {
  from = corpus_thing.a

  lifecycle {
    destroy = false
  }
}

resource "corpus_thing" "b" {
  name = "b"
  text = "a-1"
}
