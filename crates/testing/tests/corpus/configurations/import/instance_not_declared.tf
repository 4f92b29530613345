# An import of an instance that the count does not have.

# step: plan
import {
  to = corpus_thing.a[5]
  id = "a-1"
}

resource "corpus_thing" "a" {
  count = 1
  name  = "a"
}
