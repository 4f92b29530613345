# An object with unknown attributes: keys, merges and membership.

# step: apply
resource "corpus_thing" "a" {
  name = "a"
}

locals {
  object = merge({ id = corpus_thing.a.id }, { fixed = 1 })
}

output "keys" {
  value = keys(local.object)
}

output "fixed" {
  value = local.object.fixed
}

output "contains" {
  value = contains([corpus_thing.a.id, "x"], "x")
}
