# An updated object no longer refers to the removed one, on which it depended.
# show: calls

# step: apply
resource "corpus_thing" "a" {
  name = "a"
}

resource "corpus_thing" "b" {
  name = "b"
  text = corpus_thing.a.id
}
# step: apply
resource "corpus_thing" "b" {
  name = "b"
  text = "none"
}
