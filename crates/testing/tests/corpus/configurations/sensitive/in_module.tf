# A sensitive argument of a module.

# step: apply
variable "token" {
  default   = "s3cret"
  sensitive = true
}

module "m" {
  source = "./m"
  text   = var.token
}

output "id" {
  value = module.m.id
}
# file: m/main.tf
variable "text" {}

resource "corpus_thing" "a" {
  name = "a"
  text = var.text
}

output "id" {
  value = corpus_thing.a.id
}
