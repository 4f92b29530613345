# A block cannot have count and for_each.

# step: validate
resource "corpus_thing" "a" {
  count    = 1
  for_each = toset(["x"])
  name     = "a"
}
