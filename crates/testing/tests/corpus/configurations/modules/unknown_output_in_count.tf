# An output of a module decides about a count: known ones can, unknown ones cannot.

# step: plan
module "m" {
  source = "./m"
}

resource "corpus_thing" "known" {
  count = module.m.known
  name  = "k${count.index}"
}

resource "corpus_thing" "unknown" {
  count = module.m.unknown
  name  = "u${count.index}"
}
# file: m/main.tf
resource "corpus_thing" "a" {
  name = "a"
}

output "known" {
  value = 2
}

output "unknown" {
  value = corpus_thing.a.revision
}
