# A move from a resource that is still declared is an error.

# step: apply
resource "corpus_thing" "a" {
  name = "a"
}
# step: plan
moved {
  from = corpus_thing.a
  to   = corpus_thing.b
}

resource "corpus_thing" "a" {
  name = "a"
}

resource "corpus_thing" "b" {
  name = "b"
}
