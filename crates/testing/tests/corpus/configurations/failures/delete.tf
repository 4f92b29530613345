# An object that cannot be deleted remains, and so do the objects that it depends on.
# show: calls

# step: apply
resource "corpus_thing" "base" {
  name = "base"
}

resource "corpus_thing" "top" {
  name = "top"
  text = corpus_thing.base.id
  fail = "delete"
}
# step: apply -destroy
# step: apply
# Nothing is left.
