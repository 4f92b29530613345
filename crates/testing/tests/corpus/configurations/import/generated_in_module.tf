# No configuration is generated for an object in a module.

# step: plan -generate-config-out=generated.tf
import {
  to = module.m.corpus_thing.b
  id = "a-1"
}
