# An output with the value null is not stored.

# step: apply
variable "value" {
  default = null
}

output "a" {
  value = var.value
}
# step: apply
# variable: value = "x"
# step: apply
# variable: value = null
