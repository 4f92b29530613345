# A module with its own configuration of a provider.

# step: apply
module "m" {
  source = "./m"
}
# file: m/main.tf
provider "corpus" {
  service = "module"
}

resource "corpus_thing" "a" {
  name = "a"
}
