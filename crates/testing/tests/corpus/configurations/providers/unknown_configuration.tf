# The configuration of a provider is unknown in the plan.

# step: apply
provider "corpus" {
  alias   = "derived"
  service = corpus_thing.a.id
}

resource "corpus_thing" "a" {
  name = "a"
}

resource "corpus_thing" "b" {
  provider = corpus.derived
  name     = "b"
}
# step: plan
