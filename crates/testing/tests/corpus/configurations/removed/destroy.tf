# The object is destroyed.
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
    destroy = true
  }
}
