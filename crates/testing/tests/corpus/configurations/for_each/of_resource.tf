# A resource with for_each can be the for_each of another one.

# step: apply
resource "corpus_thing" "a" {
  for_each = toset(["x", "y"])
  name     = each.key
}

resource "corpus_thing" "b" {
  for_each = corpus_thing.a
  name     = "b-${each.key}"
  text     = each.value.id
}
