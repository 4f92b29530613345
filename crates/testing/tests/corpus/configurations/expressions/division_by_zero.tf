# A division by zero is infinite, and a plan file cannot contain infinity.

# step: plan
variable "zero" {
  default = 0
}

output "quotient" {
  value = 1 / var.zero
}
