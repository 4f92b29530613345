# An import of an instance that the count does not have.
# differs: tofu 1.6.2: another summary

# step: plan
import {
  to = corpus_thing.a[5]
  id = "a-1"
}

resource "corpus_thing" "a" {
  count = 1
  name  = "a"
}
