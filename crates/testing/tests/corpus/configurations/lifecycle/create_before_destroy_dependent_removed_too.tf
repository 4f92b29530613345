# The removed object had create_before_destroy as well: it is destroyed after its dependency is updated.
# show: calls

# step: apply
resource "corpus_thing" "base" {
  name = "base"
}

resource "corpus_thing" "top" {
  name = "top"
  text = corpus_thing.base.id

  lifecycle {
    create_before_destroy = true
  }
}
# step: apply
resource "corpus_thing" "base" {
  name = "base"
  text = "updated"
}
