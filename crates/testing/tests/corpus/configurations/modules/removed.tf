# The objects of a module that is removed are destroyed in the order of their dependencies.
# show: calls

# step: apply
module "m" {
  source = "./m"
}

resource "corpus_thing" "last" {
  name = "last"
  text = module.m.id
}
# file: m/main.tf
resource "corpus_thing" "first" {
  name = "first"
}

resource "corpus_thing" "second" {
  name = "second"
  text = corpus_thing.first.id
}

output "id" {
  value = corpus_thing.second.id
}
# step: apply
# Nothing is left.
