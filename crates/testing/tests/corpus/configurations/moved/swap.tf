# Two moves that swap objects are a cycle.

# step: apply
resource "corpus_thing" "a" {
  name = "a"
}

resource "corpus_thing" "b" {
  name = "b"
}
# step: plan
moved {
  from = corpus_thing.a
  to   = corpus_thing.b
}

moved {
  from = corpus_thing.b
  to   = corpus_thing.a
}

resource "corpus_thing" "a" {
  name = "b"
}

resource "corpus_thing" "b" {
  name = "a"
}
