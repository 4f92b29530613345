# The elements of a tuple keep their marks in a variable of the type any, and the conversion drops the marks of attributes that the type does not have.
# tofu: no: it has no function issensitive

# step: apply
# variable: secret = "s"
variable "secret" {
  sensitive = true
}

module "m" {
  source = "./m"
  any    = [var.secret, "a"]
  object = { name = "n", secret = var.secret }
}

data "corpus_echo" "tuple" {
  any = [var.secret, "a"]
}

output "marks" {
  value = module.m.marks
}
# file: m/main.tf
variable "any" {}

variable "object" {
  type = object({ name = string })
}

output "marks" {
  value = {
    elements = [for it in var.any : issensitive(it)]
    second   = issensitive(var.any[1])
    object   = issensitive(var.object)
    name     = issensitive(var.object.name)
  }
}
