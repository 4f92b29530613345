# The configuration of an imported object is generated.
# show: generated

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
