# The destroy of a module that others depend on comes last.
# show: calls

# step: apply
module "first" {
  source = "./m"
  name   = "first"
}

module "second" {
  source     = "./m"
  name       = "second"
  depends_on = [module.first]
}
# file: m/main.tf
variable "name" {}

resource "corpus_thing" "a" {
  name = var.name
}
# step: apply
module "first" {
  source = "./m"
  name   = "first"
}
# step: apply
# Nothing is left.
