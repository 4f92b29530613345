# Objects of a configuration that was removed cannot be destroyed.

# step: apply
provider "corpus" {
  alias   = "two"
  service = "two"
}

resource "corpus_thing" "a" {
  provider = corpus.two
  name     = "a"
}
# step: plan
# Nothing is left.
