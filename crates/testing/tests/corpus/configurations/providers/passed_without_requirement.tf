# The module does not declare the provider that it is passed, so its local name means another provider.

# step: validate
module "m" {
  source = "./m"
  providers = {
    corpus = corpus
  }
}
# file: m/main.tf
# A module without required_providers.
output "a" {
  value = 1
}
# step: plan
