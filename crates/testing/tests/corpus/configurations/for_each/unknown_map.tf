# A map that is unknown as a whole is an error.

# step: plan
resource "corpus_thing" "a" {
  name = "a"
}

resource "corpus_thing" "b" {
  for_each = toset([corpus_thing.a.id])
  name     = each.key
}
