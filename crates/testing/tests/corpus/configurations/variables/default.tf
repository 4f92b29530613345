# A default applies if the variable is not set, and not if it is null.

# step: apply
variable "a" {
  type    = string
  default = "default"
}

output "a" {
  value = var.a
}
# step: apply
# variable: a = "set"
# step: apply
# variable: a = null
