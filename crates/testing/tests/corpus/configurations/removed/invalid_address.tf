# The addresses that a removed block cannot have.
# differs: tofu 1.6.2: other errors

# step: plan
removed {
  from = data.corpus_thing.x

  lifecycle {
    destroy = false
  }
}
# step: plan
removed {
  from = corpus_thing.a["key"]

  lifecycle {
    destroy = false
  }
}

removed {
  from = module.m["key"].corpus_thing.a

  lifecycle {
    destroy = false
  }
}
