# A module that requires two configurations.

# step: apply
provider "corpus" {
  alias   = "a"
  service = "service-a"
}

provider "corpus" {
  alias   = "b"
  service = "service-b"
}

module "m" {
  source = "./m"
  providers = {
    corpus.first  = corpus.a
    corpus.second = corpus.b
  }
}
# file: m/main.tf
terraform {
  required_providers {
    corpus = {
      source                = "registry.terraform.io/example/corpus"
      configuration_aliases = [corpus.first, corpus.second]
    }
  }
}

resource "corpus_thing" "a" {
  provider = corpus.first
  name     = "a"
}

resource "corpus_thing" "b" {
  provider = corpus.second
  name     = "b"
}
