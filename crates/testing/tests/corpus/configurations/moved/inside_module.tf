# A moved block inside a module applies to each of its instances.

# step: apply
module "m" {
  source = "./m"
  count  = 2
  name   = "a${count.index}"
}
# file: m/main.tf
variable "name" {}

resource "corpus_thing" "old" {
  name = var.name
}
# step: apply
module "m" {
  source = "./m"
  count  = 2
  name   = "a${count.index}"
}
# file: m/main.tf
variable "name" {}

moved {
  from = corpus_thing.old
  to   = corpus_thing.new
}

resource "corpus_thing" "new" {
  name = var.name
}
