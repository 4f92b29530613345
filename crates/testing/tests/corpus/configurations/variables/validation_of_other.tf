# A validation can refer to other objects, so an unknown condition is checked during apply.
# tofu: no: a validation can only refer to its variable

# step: plan
# variable: n = 5
variable "n" {
  type    = number
  default = 2
}

variable "limit" {
  default = 3
}

module "m" {
  source = "./m"
  n      = var.n
  limit  = var.limit
}
# file: m/main.tf
variable "n" {}
variable "limit" {
  validation {
    condition     = var.n <= var.limit
    error_message = "There are more than ${var.limit}."
  }
}
# step: apply
# variable: n = 3
