# Two moves apply one after another, also for a state that has made the first already.

# step: apply
resource "corpus_thing" "first" {
  name = "a"
}
# step: apply
moved {
  from = corpus_thing.first
  to   = corpus_thing.second
}

moved {
  from = corpus_thing.second
  to   = corpus_thing.third
}

resource "corpus_thing" "third" {
  name = "a"
}
