# A removed block for an object that does not exist has no effect.
# tofu: no: it has no removed blocks

# step: apply
removed {
  from = corpus_thing.a

  lifecycle {
    destroy = false
  }
}
