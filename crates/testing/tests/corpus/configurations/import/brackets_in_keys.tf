# The keys of import targets can contain brackets and quotes, and can be expressions.
# tofu: no: import blocks have for_each since 1.7

# step: apply
resource "corpus_thing" "old" {
  for_each = toset(["x", "y"])
  name     = each.key
}
# step: plan
locals {
  ids = { "e]f" = "x-1", "g\"[h" = "y-1" }
}

import {
  to = corpus_thing.new["e]f"]
  id = "x-1"
}

import {
  for_each = { "[" = { key = "g\"[h", id = "y-1" } }
  to       = corpus_thing.new[each.value["key"]]
  id       = each.value.id
}

resource "corpus_thing" "old" {
  for_each = toset(["x", "y"])
  name     = each.key
}

resource "corpus_thing" "new" {
  for_each = local.ids
  name     = substr(each.value, 0, 1)
}
