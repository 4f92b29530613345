# A plan with an import block reads the imported object once.
# tofu: no: it has no removed blocks
# show: reads

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
# step: plan
import {
  to = corpus_thing.b
  id = "a-1"
}

resource "corpus_thing" "b" {
  name = "a"
}
# step: apply
# step: plan -refresh=false
