# The configuration of a provider depends on an object that is replaced.

# step: apply
# variable: zone = "a"
variable "zone" {}

provider "corpus" {
  alias   = "derived"
  service = "of-${corpus_thing.a.name}"
}

resource "corpus_thing" "a" {
  name = "a"
  zone = var.zone
}

resource "corpus_thing" "b" {
  provider = corpus.derived
  name     = "b"
}
# step: apply
# variable: zone = "b"
