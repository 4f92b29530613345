# An import block for an object that is in the state has no effect.

# step: apply
resource "corpus_thing" "a" {
  name = "a"
}
# step: plan
import {
  to = corpus_thing.a
  id = "other"
}

resource "corpus_thing" "a" {
  name = "a"
}
