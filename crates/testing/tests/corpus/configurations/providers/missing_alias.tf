# A reference to a configuration that does not exist.

# step: plan
resource "corpus_thing" "a" {
  provider = corpus.missing
  name     = "a"
}
