# A module gets another configuration of the provider.

# step: apply
provider "corpus" {
  alias   = "two"
  service = "two"
}

module "default" {
  source = "./m"
  name   = "default"
}

module "other" {
  source = "./m"
  name   = "other"
  providers = {
    corpus = corpus.two
  }
}
# file: m/main.tf
variable "name" {}

resource "corpus_thing" "a" {
  name = var.name
}
