# An instance key is not allowed.
# tofu: no: it has no removed blocks

# step: validate
removed {
  from = corpus_thing.a[0]

  lifecycle {
    destroy = false
  }
}
