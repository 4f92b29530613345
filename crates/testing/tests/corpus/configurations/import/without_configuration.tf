# An import block without a resource is an error.
# differs: tofu 1.6.2: another summary, at another line

# step: plan
import {
  to = corpus_thing.a
  id = "a-1"
}
