# An empty ID is an error.

# step: plan
import {
  to = corpus_thing.b
  id = ""
}

resource "corpus_thing" "b" {
  name = "a"
}
