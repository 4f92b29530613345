# All instances of a resource are removed.
# tofu: no: it has no removed blocks

# step: apply
resource "corpus_thing" "a" {
  for_each = toset(["x", "y"])
  name     = each.key
}
# step: apply
removed {
  from = corpus_thing.a

  lifecycle {
    destroy = false
  }
}
