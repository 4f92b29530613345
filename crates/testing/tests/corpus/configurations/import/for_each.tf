# An import block with for_each.
# tofu: no: import blocks have for_each since 1.7

# step: apply
resource "corpus_thing" "old" {
  for_each = toset(["x", "y"])
  name     = each.key
}
# step: plan
locals {
  ids = { x = "x-1", y = "y-1" }
}

import {
  for_each = local.ids
  to       = corpus_thing.new[each.key]
  id       = each.value
}

resource "corpus_thing" "old" {
  for_each = toset(["x", "y"])
  name     = each.key
}

resource "corpus_thing" "new" {
  for_each = local.ids
  name     = each.key
}
