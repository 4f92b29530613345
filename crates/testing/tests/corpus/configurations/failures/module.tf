# A failure in one instance of a module skips the dependents in all instances: dependencies are between resources.
# show: sorted calls
# differs: tofu 1.6.2: the dependents in other instances of the module are not skipped

# step: apply
module "m" {
  source   = "./m"
  for_each = { a = null, b = "create" }
  name     = each.key
  fail     = each.value
}

output "ids" {
  value = { for key, it in module.m : key => it.id }
}
# file: m/main.tf
variable "name" {}
variable "fail" {}

resource "corpus_thing" "first" {
  name = "${var.name}-first"
  fail = var.fail
}

resource "corpus_thing" "second" {
  name = "${var.name}-second"
  text = corpus_thing.first.id
}

output "id" {
  value = corpus_thing.second.id
}
