# An empty map has no instances, and the resource is an empty object.

# step: apply
resource "corpus_thing" "a" {
  for_each = {}
  name     = each.key
}

output "all" {
  value = corpus_thing.a
}
