# An object without changes belongs to the provider configuration of its resource after an apply.

# step: apply
provider "corpus" {
  alias   = "other"
  service = "other"
}

resource "corpus_thing" "t" {
  provider = corpus.other
  name     = "t"
}
# step: apply
provider "corpus" {
  alias   = "other"
  service = "other"
}

resource "corpus_thing" "t" {
  name = "t"
}
# step: apply
resource "corpus_thing" "t" {
  name = "t"
}
# step: plan
locals {}
