# A dynamic attribute with unknown parts.

# step: apply
resource "corpus_thing" "a" {
  name = "a"
}

resource "corpus_values" "v" {
  name = "v"
  any  = { id = corpus_thing.a.id, fixed = 1 }
}

resource "corpus_thing" "b" {
  name = "b"
  text = corpus_values.v.any.fixed
  tags = { copy = try(corpus_values.v.copy.id, "none") }
}
