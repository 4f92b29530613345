# A validation rejects a value with its error message.

# step: apply
# variable: port = 80
variable "port" {
  type = number

  validation {
    condition     = var.port > 0 && var.port < 65536
    error_message = "The port must be between 1 and 65535, but it is ${var.port}."
  }

  validation {
    condition     = var.port % 2 == 0
    error_message = "The port must be even."
  }
}

output "port" {
  value = var.port
}
# step: plan
# variable: port = -1
