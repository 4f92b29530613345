# An import block imports an existing object, and the plan shows what changes.
# tofu: no: it has no removed blocks

# step: apply
resource "corpus_thing" "a" {
  name = "a"
  text = "hello"
}
# step: apply
removed {
  from = corpus_thing.a
  lifecycle {
    destroy = false
  }
}
# step: apply
import {
  to = corpus_thing.b
  id = "a-1"
}

resource "corpus_thing" "b" {
  name = "a"
  text = "hello"
}
# step: plan
