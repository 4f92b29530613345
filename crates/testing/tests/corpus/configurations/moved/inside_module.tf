# A moved block inside a module applies to each of its instances.

# step: apply
module "m" {
  source = "./m"
  count  = 2
}
# file: m/main.tf
resource "corpus_thing" "old" {
  name = "a"
}
# step: apply
module "m" {
  source = "./m"
  count  = 2
}
# file: m/main.tf
moved {
  from = corpus_thing.old
  to   = corpus_thing.new
}

resource "corpus_thing" "new" {
  name = "a"
}
