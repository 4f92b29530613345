# The module of an import block does not exist.

# step: plan
import {
  to = module.m.corpus_thing.b
  id = "a-1"
}
