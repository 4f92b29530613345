# Imports of an instance with an index and of one in a module.

# step: apply
resource "corpus_thing" "old" {
  name = "a"
}
# step: plan
import {
  to = corpus_thing.new[1]
  id = "a-1"
}

import {
  to = module.m.corpus_thing.in
  id = "a-1"
}

resource "corpus_thing" "old" {
  name = "a"
}

resource "corpus_thing" "new" {
  count = 2
  name  = "a"
}

module "m" {
  source = "./m"
}
# file: m/main.tf
resource "corpus_thing" "in" {
  name = "a"
}
