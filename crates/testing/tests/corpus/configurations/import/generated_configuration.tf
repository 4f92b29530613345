# The configuration of an imported object is generated.
# show: generated
# differs: terraform 1.15.5: the provider generates the configuration, and omits defaults, since 1.14

# step: apply
resource "corpus_thing" "a" {
  name  = "a"
  text  = "a \"quoted\" ${"$${text}"}\nwith two lines"
  tags  = { kind = "x", "a b" = "y" }
  items = ["1", "2"]
}
# step: plan -generate-config-out=generated.tf
import {
  to = corpus_thing.b
  id = "a-1"
}

resource "corpus_thing" "a" {
  name  = "a"
  text  = "a \"quoted\" ${"$${text}"}\nwith two lines"
  tags  = { kind = "x", "a b" = "y" }
  items = ["1", "2"]
}
# step: apply
