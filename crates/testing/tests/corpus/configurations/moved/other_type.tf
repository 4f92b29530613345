# A resource becomes one of another type.
# tofu: no: it moves objects between resource types since 1.10

# step: apply
resource "corpus_thing" "a" {
  name = "a"
  text = "hello"
}
# step: apply
moved {
  from = corpus_thing.a
  to   = corpus_label.a
}

resource "corpus_label" "a" {
  name = "a"
  text = "hello"
}
