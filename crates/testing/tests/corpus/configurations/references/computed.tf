# A computed attribute of a new object is unknown in the plan of another.

# step: apply
resource "corpus_thing" "a" {
  name = "a"
}

resource "corpus_thing" "b" {
  name = "b"
  text = "after ${corpus_thing.a.id}"
}

output "text" {
  value = corpus_thing.b.text
}
# step: apply
resource "corpus_thing" "a" {
  name = "a"
  zone = "z"
}

resource "corpus_thing" "b" {
  name = "b"
  text = "after ${corpus_thing.a.id}"
}
