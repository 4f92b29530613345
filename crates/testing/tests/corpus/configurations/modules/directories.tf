# Modules in nested directories, which refer to each other by relative paths.

# step: apply
module "network" {
  source = "./modules/network"
}

output "ids" {
  value = module.network.ids
}
# file: modules/network/main.tf
module "subnet" {
  source = "./subnet"
  count  = 2
  name   = "s${count.index}"
}

module "gateway" {
  source = "../gateway"
}

output "ids" {
  value = concat(module.subnet[*].id, [module.gateway.id])
}
# file: modules/network/subnet/main.tf
variable "name" {}

resource "corpus_thing" "a" {
  name = var.name
}

output "id" {
  value = corpus_thing.a.id
}
# file: modules/gateway/main.tf
resource "corpus_thing" "a" {
  name = "gateway"
}

output "id" {
  value = corpus_thing.a.id
}
