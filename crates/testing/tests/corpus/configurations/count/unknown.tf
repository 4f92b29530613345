# An unknown count is an error.

# step: plan
resource "corpus_thing" "a" {
  name = "a"
}

resource "corpus_thing" "b" {
  count = corpus_thing.a.revision
  name  = "b"
}
