# A module call passes a provider that the child module does not declare, so the local name refers to another provider there.

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
