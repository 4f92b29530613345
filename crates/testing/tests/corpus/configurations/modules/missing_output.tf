# A reference to an output that does not exist.

# step: validate
module "m" {
  source = "./m"
}

output "other" {
  value = module.m.other
}
# file: m/main.tf
output "name" {
  value = "x"
}
