# An import block without a resource is an error.

# step: plan
import {
  to = corpus_thing.a
  id = "a-1"
}
