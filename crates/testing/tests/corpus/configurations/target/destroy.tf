# A destroy of a target includes its dependents.
# show: calls

# step: apply
resource "corpus_thing" "a" {
  name = "a"
}

resource "corpus_thing" "b" {
  name = "b"
  text = corpus_thing.a.id
}

resource "corpus_thing" "c" {
  name = "c"
  text = corpus_thing.b.id
}
# step: apply -destroy -target=corpus_thing.b
