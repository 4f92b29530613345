# No configuration is generated for an object in a module.
# differs: tofu 1.6.2: the import is ignored

# step: plan -generate-config-out=generated.tf
import {
  to = module.m.corpus_thing.b
  id = "a-1"
}
