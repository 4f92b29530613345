# A wrong argument of a provider block.

# step: validate
provider "corpus" {
  services = "a"
}

resource "corpus_thing" "a" {
  name = "a"
}
