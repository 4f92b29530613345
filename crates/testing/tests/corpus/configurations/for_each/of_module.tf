# A module with for_each has a map of outputs.

# step: apply
module "m" {
  source   = "./m"
  for_each = { a = "1", b = "2" }
  name     = each.key
  text     = each.value
}

output "ids" {
  value = { for key, it in module.m : key => it.id }
}
# file: m/main.tf
variable "name" {}
variable "text" {}

resource "corpus_thing" "a" {
  name = var.name
  text = var.text
}

output "id" {
  value = corpus_thing.a.id
}
# step: apply
module "m" {
  source   = "./m"
  for_each = { b = "2", c = "3" }
  name     = each.key
  text     = each.value
}
