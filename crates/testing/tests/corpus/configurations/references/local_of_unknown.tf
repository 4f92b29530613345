# A local value that contains an unknown value is unknown only in that part.

# step: apply
resource "corpus_thing" "a" {
  name = "a"
}

locals {
  both = {
    name = "b"
    text = corpus_thing.a.id
  }
}

resource "corpus_thing" "b" {
  name = local.both.name
  text = local.both.text
}
