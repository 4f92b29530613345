# A module with count has a list of outputs.

# step: apply
module "m" {
  source = "./m"
  count  = 2
  name   = "m${count.index}"
}

output "ids" {
  value = module.m[*].id
}
# file: m/main.tf
variable "name" {}

resource "corpus_thing" "a" {
  name = var.name
}

output "id" {
  value = corpus_thing.a.id
}
# step: apply
module "m" {
  source = "./m"
  count  = 1
  name   = "m${count.index}"
}

output "ids" {
  value = module.m[*].id
}
