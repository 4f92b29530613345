# A module becomes an instance of a module with for_each.

# step: apply
module "m" {
  source = "./m"
}
# file: m/main.tf
resource "corpus_thing" "a" {
  name = "a"
}
# step: apply
moved {
  from = module.m
  to   = module.m["x"]
}

module "m" {
  source   = "./m"
  for_each = toset(["x"])
}
