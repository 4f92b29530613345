# A module with its own configuration of a provider cannot have count.

# step: validate
module "m" {
  source = "./m"
  count  = 1
}
# file: m/main.tf
provider "corpus" {
  service = "module"
}

resource "corpus_thing" "a" {
  name = "a"
}
