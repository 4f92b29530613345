# A configuration without objects is not used, so it does not fail.

# step: plan
provider "corpus" {
  alias = "unused"
  token = "expired"
}

resource "corpus_thing" "a" {
  name = "a"
}
