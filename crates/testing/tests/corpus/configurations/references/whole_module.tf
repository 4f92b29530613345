# A reference to a module is the object of its outputs.

# step: apply
module "m" {
  source = "./m"
}

output "m" {
  value = module.m
}
# file: m/main.tf
resource "corpus_thing" "a" {
  name = "a"
}

output "id" {
  value = corpus_thing.a.id
}

output "fixed" {
  value = ["x", 1, true]
}
