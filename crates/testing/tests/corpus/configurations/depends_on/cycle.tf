# A cycle of dependencies is an error.

# step: validate
resource "corpus_thing" "a" {
  name       = "a"
  depends_on = [corpus_thing.b]
}

resource "corpus_thing" "b" {
  name = "b"
  text = corpus_thing.a.id
}
