# A resource is moved into a module.

# step: apply
resource "corpus_thing" "a" {
  name = "a"
}
# step: apply
moved {
  from = corpus_thing.a
  to   = module.m.corpus_thing.b
}

module "m" {
  source = "./m"
}
# file: m/main.tf
resource "corpus_thing" "b" {
  name = "a"
}
