# A module inside a module, with for_each and count.

# step: apply
module "outer" {
  source   = "./outer"
  for_each = { a = 1, b = 2 }
  name     = each.key
  n        = each.value
}

output "all" {
  value = module.outer
}
# file: outer/main.tf
variable "name" {}
variable "n" {}

module "inner" {
  source = "../inner"
  count  = var.n
  name   = "${var.name}${count.index}"
}

output "ids" {
  value = module.inner[*].id
}
# file: inner/main.tf
variable "name" {}

resource "corpus_thing" "this" {
  name = var.name
}

output "id" {
  value = corpus_thing.this.id
}
# step: apply
# Only one module is left.
module "outer" {
  source   = "./outer"
  for_each = { b = 1 }
  name     = each.key
  n        = each.value
}

output "all" {
  value = module.outer
}
