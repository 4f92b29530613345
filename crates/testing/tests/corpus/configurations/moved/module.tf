# A module gets another name.

# step: apply
module "old" {
  source = "./m"
}
# file: m/main.tf
resource "corpus_thing" "a" {
  name = "a"
}

resource "corpus_thing" "b" {
  name = "b"
  text = corpus_thing.a.id
}
# step: apply
moved {
  from = module.old
  to   = module.new
}

module "new" {
  source = "./m"
}
