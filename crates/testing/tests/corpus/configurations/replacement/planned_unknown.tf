# The provider cannot plan a value that depends on an unknown one.

# step: apply
resource "corpus_thing" "b" {
  name = "b"
}

resource "corpus_quota" "a" {
  name  = "a"
  limit = corpus_thing.b.size
}
