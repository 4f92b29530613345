# The source of a module is a constant.
# differs: terraform 1.15.5: a source can refer to constant variables, so the error is another one

# step: validate
variable "name" {
  default = "m"
}

module "m" {
  source = "./${var.name}"
}
# file: m/main.tf
output "x" {
  value = 1
}
