# The child module declares the provider under a different local name.

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
