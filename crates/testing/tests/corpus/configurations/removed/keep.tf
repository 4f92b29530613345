# The object is removed from the state and continues to exist.
# tofu: no: it has no removed blocks
# show: calls

# step: apply
resource "corpus_thing" "a" {
  name = "a"
}
# step: apply
removed {
  from = corpus_thing.a

  lifecycle {
    destroy = false
  }
}
# step: apply
data "corpus_thing" "a" {
  id = "a-1"
}
