# A reference to a key that does not exist is an error.

# step: plan
resource "corpus_thing" "a" {
  for_each = toset(["x"])
  name     = each.key
}

output "y" {
  value = corpus_thing.a["y"].id
}
