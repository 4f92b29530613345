# An object that is no longer configured can be targeted.

# step: apply
resource "corpus_thing" "a" {
  name = "a"
}

resource "corpus_thing" "b" {
  name = "b"
}
# step: apply -target=corpus_thing.a
# Nothing is configured.
