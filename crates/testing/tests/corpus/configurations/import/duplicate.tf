# Two import blocks for one object.
# differs: tofu 1.6.2: another line

# step: plan
import {
  to = corpus_thing.a
  id = "a-1"
}

import {
  to = corpus_thing.a
  id = "a-2"
}

resource "corpus_thing" "a" {
  name = "a"
}
