# The module does not declare the provider of which it is passed a configuration with an alias.

# step: validate
provider "corpus" {
  alias   = "two"
  service = "two"
}

module "m" {
  source = "./m"
  providers = {
    corpus = corpus.two
  }
}
# file: m/main.tf
# A module without required_providers.
output "a" {
  value = 1
}
# step: plan
