# An object can leave an instance that no longer exists. One that still exists cannot be moved.

# step: apply
module "b" {
  source   = "./m"
  name     = each.key
  for_each = toset(["zero", "one"])
}

resource "corpus_thing" "c" {
  count = 2
  name  = "c${count.index}"
}
# file: m/main.tf
variable "name" {}

resource "corpus_thing" "x" {
  name = var.name
}
# step: plan
module "b" {
  source   = "./m"
  name     = each.key
  for_each = toset(["one"])
}

moved {
  from = module.b["zero"].corpus_thing.x
  to   = corpus_thing.out
}

moved {
  from = corpus_thing.c[1]
  to   = corpus_thing.other
}

resource "corpus_thing" "out" {
  name = "zero"
}

resource "corpus_thing" "other" {
  name = "c1"
}

resource "corpus_thing" "c" {
  count = 1
  name  = "c${count.index}"
}
# step: plan
module "b" {
  source   = "./m"
  name     = each.key
  for_each = toset(["one"])
}

moved {
  from = module.b["one"].corpus_thing.x
  to   = corpus_thing.out
}

moved {
  from = module.b["one"]
  to   = module.z
}

moved {
  from = corpus_thing.c[0]
  to   = corpus_thing.other
}

module "z" {
  source = "./m"
  name   = "one"
}

resource "corpus_thing" "out" {
  name = "zero"
}

resource "corpus_thing" "other" {
  name = "c1"
}

resource "corpus_thing" "c" {
  count = 1
  name  = "c${count.index}"
}
