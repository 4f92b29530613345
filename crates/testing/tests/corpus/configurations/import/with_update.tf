# An imported object that differs from the configuration is updated. Another resource that manages the same object sees drift.

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
  text = "changed"
}
