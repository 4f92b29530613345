# A module gets the default instead of null only if the variable is not nullable.

# step: apply
module "m" {
  source = "./m"
  a      = null
  b      = null
}

output "m" {
  value = module.m
}
# file: m/main.tf
variable "a" {
  default = "a"
}

variable "b" {
  default  = "b"
  nullable = false
}

output "a" {
  value = var.a
}

output "b" {
  value = var.b
}
