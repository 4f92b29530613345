# Variables configure a provider.

# step: apply
# variable: service = "east"
variable "service" {}

provider "corpus" {
  service = var.service
}

resource "corpus_thing" "a" {
  name = "a"
}
