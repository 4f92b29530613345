# The ID must be known in the plan.

# step: plan
resource "corpus_thing" "a" {
  name = "a"
}

import {
  to = corpus_thing.b
  id = corpus_thing.a.id
}

resource "corpus_thing" "b" {
  name = "b"
}
