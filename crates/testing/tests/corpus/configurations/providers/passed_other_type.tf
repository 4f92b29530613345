# A module call passes a configuration of a provider other than the one that the child module requires.

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
    corpus = {
      source = "registry.terraform.io/example/other"
    }
  }
}
# step: plan
