terraform {
  required_providers {
    local = {
      source = "hashicorp/local"
    }
  }
}

# The provider has no settings.
provider "local" {}
