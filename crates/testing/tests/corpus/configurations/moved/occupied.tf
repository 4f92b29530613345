# A move to an object that exists is ignored with a warning.

# step: apply
resource "corpus_thing" "a" {
  name = "a"
}

resource "corpus_thing" "b" {
  name = "b"
}
# step: apply
moved {
  from = corpus_thing.a
  to   = corpus_thing.b
}

resource "corpus_thing" "b" {
  name = "b"
}
