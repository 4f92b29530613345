# The state remembers create_before_destroy: the removed object is destroyed after its dependent is updated.
# show: calls

# step: apply
resource "corpus_thing" "base" {
  name = "base"

  lifecycle {
    create_before_destroy = true
  }
}

resource "corpus_thing" "top" {
  name = "top"
  text = corpus_thing.base.id
}
# step: apply
resource "corpus_thing" "top" {
  name = "top"
}
