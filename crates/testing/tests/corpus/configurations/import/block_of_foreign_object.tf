# An imported object that another resource manages too.

# step: apply
resource "corpus_thing" "a" {
  name = "a"
  text = "hello"
}
# step: apply
import {
  to = corpus_thing.b
  id = "a-1"
}

resource "corpus_thing" "a" {
  name = "a"
  text = "hello"
}

resource "corpus_thing" "b" {
  name = "a"
  text = "hello"
}
# step: plan
