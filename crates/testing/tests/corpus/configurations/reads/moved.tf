# A moved object is read once.
# show: reads

# step: apply
resource "corpus_thing" "a" {
  name = "a"
}
# step: plan
moved {
  from = corpus_thing.a
  to   = corpus_thing.b
}

resource "corpus_thing" "b" {
  name = "b"
}
# step: apply
