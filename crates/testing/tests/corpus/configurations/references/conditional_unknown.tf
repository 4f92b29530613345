# A conditional with an unknown condition is unknown, even if both results are equal in type.

# step: apply
resource "corpus_thing" "a" {
  name = "a"
}

resource "corpus_thing" "b" {
  name = "b"
  text = corpus_thing.a.size > 5 ? "large" : "small"
  size = corpus_thing.a.revision == 1 ? 1 : 2
}
