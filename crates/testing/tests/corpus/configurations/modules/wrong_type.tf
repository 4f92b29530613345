# An argument that does not convert to the type of the variable.

# step: plan
module "m" {
  source = "./m"
  names  = "a"
}
# file: m/main.tf
variable "names" {
  type = list(string)
}
