# An object with unknown attributes: comparisons, keys and merges.
# differs: tofu 1.6.2: objects with unknown attributes are not compared, even if a known attribute differs

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

output "equal" {
  value = local.object == { id = "x", fixed = 2 }
}

output "contains" {
  value = contains([corpus_thing.a.id, "x"], "x")
}
