# An unknown value passes through two modules.

# step: apply
module "first" {
  source = "./thing"
  name   = "first"
}

module "second" {
  source = "./thing"
  name   = "second"
  text   = module.first.id
}

output "second" {
  value = module.second.id
}
# file: thing/main.tf
variable "name" {
  type = string
}

variable "text" {
  type    = string
  default = null
}

resource "corpus_thing" "this" {
  name = var.name
  text = var.text
}

output "id" {
  value = corpus_thing.this.id
}
