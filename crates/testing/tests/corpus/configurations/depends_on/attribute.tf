# A dependency is on a whole object, and not on an attribute.

# step: validate
resource "corpus_thing" "a" {
  name = "a"
}

resource "corpus_thing" "b" {
  name       = "b"
  depends_on = [corpus_thing.a.id]
}
