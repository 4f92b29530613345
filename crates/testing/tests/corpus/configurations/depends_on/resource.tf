# A resource waits for another one that it does not refer to.
# show: calls

# step: apply
resource "corpus_thing" "a" {
  name       = "a"
  depends_on = [corpus_thing.b]
}

resource "corpus_thing" "b" {
  name       = "b"
  depends_on = [corpus_thing.c]
}

resource "corpus_thing" "c" {
  name = "c"
}
# step: apply -destroy
