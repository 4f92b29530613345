# The object does not exist.

# step: plan
import {
  to = corpus_thing.a
  id = "missing"
}

resource "corpus_thing" "a" {
  name = "a"
}
