# An output that contains a sensitive value must be sensitive.

# step: plan
variable "token" {
  default   = "s3cret"
  sensitive = true
}

output "token" {
  value = var.token
}
