# Two default configurations of a provider.

# step: validate
provider "corpus" {}
provider "corpus" {
  service = "two"
}
