# A check in a module with several instances.

# step: apply
module "m" {
  source   = "./m"
  for_each = toset(["a", "b"])
  name     = each.key
}
# file: m/main.tf
variable "name" {}

check "name" {
  assert {
    condition     = var.name == "a"
    error_message = "The name is ${var.name}."
  }
}
