# A set of strings: each key is also the value.

# step: apply
resource "corpus_thing" "a" {
  for_each = toset(["x", "y"])
  name     = each.key
  text     = each.value
}

output "ids" {
  value = { for key, thing in corpus_thing.a : key => thing.id }
}
# step: apply
resource "corpus_thing" "a" {
  for_each = toset(["y", "z"])
  name     = each.key
  text     = each.value
}
