# A module declares the provider under another name than the one that it is passed.

# step: validate
module "m" {
  source = "./m"
  providers = {
    corpus = corpus
  }
}
# file: m/main.tf
terraform {
  required_providers {
    things = {
      source = "registry.terraform.io/example/corpus"
    }
  }
}

resource "corpus_thing" "a" {
  provider = things
  name     = "a"
}
# step: plan
