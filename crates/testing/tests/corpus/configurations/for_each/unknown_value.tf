# A map with known keys can have unknown values.

# step: apply
resource "corpus_thing" "a" {
  name = "a"
}

resource "corpus_thing" "b" {
  for_each = { x = corpus_thing.a.id }
  name     = each.key
  text     = each.value
}
