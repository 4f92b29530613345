# Only the target and what it depends on are changed.
# show: calls

# step: apply -target=corpus_thing.b
resource "corpus_thing" "a" {
  name = "a"
}

resource "corpus_thing" "b" {
  name = "b"
  text = corpus_thing.a.id
}

resource "corpus_thing" "c" {
  name = "c"
  text = corpus_thing.b.id
}

output "c" {
  value = corpus_thing.c.id
}

output "b" {
  value = corpus_thing.b.id
}
# step: apply
