# A module is passed a configuration of another provider than the one that it requires.

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
