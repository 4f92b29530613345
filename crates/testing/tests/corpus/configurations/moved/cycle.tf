# Moves in a cycle are an error.

# step: plan
moved {
  from = corpus_thing.a
  to   = corpus_thing.b
}

moved {
  from = corpus_thing.b
  to   = corpus_thing.c
}

moved {
  from = corpus_thing.c
  to   = corpus_thing.a
}
