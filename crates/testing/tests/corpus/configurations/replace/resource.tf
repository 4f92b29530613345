# The option -replace replaces an object.
# show: calls

# step: apply
resource "corpus_thing" "a" {
  name = "a"
}

resource "corpus_thing" "b" {
  name = "b"
  text = corpus_thing.a.id
}
# step: apply -replace=corpus_thing.a
