# A resource is moved out of a module that is removed.

# step: apply
module "m" {
  source = "./m"
}
# file: m/main.tf
resource "corpus_thing" "b" {
  name = "a"
}
# step: apply
moved {
  from = module.m.corpus_thing.b
  to   = corpus_thing.a
}

resource "corpus_thing" "a" {
  name = "a"
}
