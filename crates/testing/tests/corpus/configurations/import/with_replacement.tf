# An imported object can require replacement.

# step: apply
resource "corpus_thing" "a" {
  name = "a"
  zone = "x"
}
# step: plan
import {
  to = corpus_thing.b
  id = "a-1"
}

resource "corpus_thing" "a" {
  name = "a"
  zone = "x"
}

resource "corpus_thing" "b" {
  name = "a"
  zone = "y"
}
