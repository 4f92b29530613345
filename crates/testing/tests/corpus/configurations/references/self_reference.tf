# A resource cannot refer to itself.

# step: validate
resource "corpus_thing" "a" {
  name = "a"
  text = corpus_thing.a.id
}
