# A resource that is still declared cannot be removed.
# tofu: no: it has no removed blocks

# step: plan
removed {
  from = corpus_thing.a

  lifecycle {
    destroy = false
  }
}

resource "corpus_thing" "a" {
  name = "a"
}
