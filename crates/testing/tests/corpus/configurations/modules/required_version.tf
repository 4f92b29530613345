# A version of Terraform that is not supported.

# step: plan
terraform {
  required_version = ">= 99.0"
}

output "a" {
  value = 1
}
