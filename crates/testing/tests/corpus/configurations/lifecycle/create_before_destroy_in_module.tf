# The order passes through the outputs of a module.
# show: calls

# step: apply
# variable: zone = "x"
variable "zone" {}

module "base" {
  source = "./base"
  zone   = var.zone
}

resource "corpus_thing" "top" {
  name = "top"
  zone = module.base.id

  lifecycle {
    create_before_destroy = true
  }
}
# file: base/main.tf
variable "zone" {}

resource "corpus_thing" "base" {
  name = "base"
  zone = var.zone
}

output "id" {
  value = corpus_thing.base.id
}
# step: apply
# variable: zone = "y"
