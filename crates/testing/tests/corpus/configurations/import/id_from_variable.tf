# The ID can be an expression.

# step: apply
# variable: id = "a"
variable "id" {}

resource "corpus_thing" "a" {
  name = "a"
}
# step: plan
variable "id" {}

import {
  to = corpus_thing.b
  id = "${var.id}-1"
}

resource "corpus_thing" "a" {
  name = "a"
}

resource "corpus_thing" "b" {
  name = "a"
}
