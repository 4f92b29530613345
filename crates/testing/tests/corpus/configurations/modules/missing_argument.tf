# A required variable of a module is missing, and an argument is unsupported.

# step: validate
module "m" {
  source = "./m"
  other  = 1
}
# file: m/main.tf
variable "name" {}
