# An empty ID is an error.
# differs: tofu 1.6.2: another summary, without a position

# step: plan
import {
  to = corpus_thing.b
  id = ""
}

resource "corpus_thing" "b" {
  name = "a"
}
