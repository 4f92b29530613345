# A cycle through locals, modules and resources.

# step: validate
locals {
  a = local.b
  b = local.a
}
# step: validate
resource "corpus_thing" "a" {
  name = "a"
  text = local.b
}

locals {
  b = module.m.id
}

module "m" {
  source = "./m"
  text   = corpus_thing.a.id
}
# file: m/main.tf
variable "text" {}

output "id" {
  value = var.text
}
