# A reference to an instance of a module that does not exist.

# step: plan
module "m" {
  source   = "./m"
  for_each = toset(["a"])
}

output "b" {
  value = module.m["b"].name
}
# file: m/main.tf
output "name" {
  value = "x"
}
