# A precondition with an unknown condition is checked during apply, before the object is created.
# show: calls

# step: apply
resource "corpus_thing" "a" {
  name = "a"
}

resource "corpus_thing" "b" {
  name = "b"

  lifecycle {
    precondition {
      condition     = corpus_thing.a.size == 11
      error_message = "The size of a is not 11."
    }
  }
}

resource "corpus_thing" "c" {
  name = "c"
  text = corpus_thing.b.id
}
