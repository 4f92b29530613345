# A move of an object that does not exist has no effect.

# step: apply
moved {
  from = corpus_thing.old
  to   = corpus_thing.new
}

resource "corpus_thing" "new" {
  name = "a"
}
