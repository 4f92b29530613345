# A module calls a function of the provider.
# tofu: no: it has no provider-defined functions

# step: apply
module "m" {
  source = "./m"
  name   = "x"
}

output "m" {
  value = module.m.text
}
# file: m/main.tf
variable "name" {
  validation {
    condition     = provider::corpus::greet(var.name) != "Hello, y"
    error_message = "Not y."
  }
}

output "text" {
  value = provider::corpus::greet(var.name)
}
