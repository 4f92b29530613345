# Two modules can depend on each other by different outputs.
# show: sorted calls

# step: apply
module "a" {
  source = "./m"
  name   = "a"
  text   = "first"
}

module "b" {
  source = "./m"
  name   = "b"
  text   = module.a.early
  late   = module.a.id
}
# file: m/main.tf
variable "name" {}
variable "text" {}
variable "late" {
  default = "x"
}

resource "corpus_thing" "this" {
  name = var.name
  text = var.text
}

output "early" {
  value = "${var.name}-early"
}

output "id" {
  value = "${corpus_thing.this.id}-${var.late}"
}
