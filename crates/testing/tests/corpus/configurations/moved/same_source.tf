# Two moves from one source are an error.

# step: plan
moved {
  from = corpus_thing.a
  to   = corpus_thing.b
}

moved {
  from = corpus_thing.a
  to   = corpus_thing.c
}

resource "corpus_thing" "b" {
  name = "b"
}

resource "corpus_thing" "c" {
  name = "c"
}
