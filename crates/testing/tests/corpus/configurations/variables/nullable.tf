# A variable that is not nullable has its default instead of null.

# step: apply
# variable: a = null
variable "a" {
  type     = string
  default  = "default"
  nullable = false
}

output "a" {
  value = var.a
}
# step: plan
# variable: b = null
variable "a" {}

variable "b" {
  type     = string
  nullable = false
}
