# All objects of a module are removed from the state.
# tofu: no: it has no removed blocks

# step: apply
module "m" {
  source = "./m"
}
# file: m/main.tf
resource "corpus_thing" "a" {
  count = 2
  name  = "a${count.index}"
}
# step: apply
removed {
  from = module.m

  lifecycle {
    destroy = false
  }
}
