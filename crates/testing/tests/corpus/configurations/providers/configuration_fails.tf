# A provider that rejects its configuration.

# step: plan
provider "corpus" {
  token = "expired"
}

resource "corpus_thing" "a" {
  name = "a"
}
