# The module of an import block does not exist.
# differs: tofu 1.6.2: the import is ignored

# step: plan
import {
  to = module.m.corpus_thing.b
  id = "a-1"
}
