# Dependencies pass through locals, variables and outputs.

# step: apply
resource "corpus_thing" "a" {
  name = "a"
}

locals {
  id   = corpus_thing.a.id
  text = "on ${local.id}"
}

module "m" {
  source = "./m"
  text   = local.text
}

resource "corpus_thing" "c" {
  name = "c"
  text = module.m.id
}
# file: m/main.tf
variable "text" {}

resource "corpus_thing" "b" {
  name = "b"
  text = var.text
}

output "id" {
  value = corpus_thing.b.id
}
