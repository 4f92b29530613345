# A resource becomes an instance with a chosen index.

# step: apply
resource "corpus_thing" "a" {
  name = "a"
}
# step: apply
moved {
  from = corpus_thing.a
  to   = corpus_thing.a[1]
}

resource "corpus_thing" "a" {
  count = 2
  name  = count.index == 1 ? "a" : "b"
}
