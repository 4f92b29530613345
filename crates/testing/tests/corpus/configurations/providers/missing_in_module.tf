# A module that requires a configuration and does not get it.

# step: validate
module "m" {
  source = "./m"
}
# file: m/main.tf
terraform {
  required_providers {
    corpus = {
      source                = "registry.terraform.io/example/corpus"
      configuration_aliases = [corpus.first]
    }
  }
}

resource "corpus_thing" "a" {
  provider = corpus.first
  name     = "a"
}
