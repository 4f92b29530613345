# A module call passes an aliased configuration of a provider that the child module does not declare.

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
