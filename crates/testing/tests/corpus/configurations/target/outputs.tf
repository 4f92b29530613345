# A target changes the outputs whose objects are all selected, and keeps the others.
# differs: tofu 1.6.2: an apply changes the output of both objects

# step: apply
resource "corpus_thing" "a" {
  name = "a"
}

resource "corpus_thing" "b" {
  name = "b"
}

output "a" {
  value = local.a
}

output "b" {
  value = corpus_thing.b.id
}

output "both" {
  value = "${local.a} ${corpus_thing.b.id}"
}

output "constant" {
  value = 1
}

output "removed" {
  value = 1
}

output "of_module" {
  value = module.m.id
}

locals {
  a = corpus_thing.a.length
}

module "m" {
  source = "./m"
}
# file: m/main.tf
resource "corpus_thing" "c" {
  name = "c"
}

output "id" {
  value = corpus_thing.c.length
}
# step: plan -target=corpus_thing.a
# step: apply -target=corpus_thing.a -target=module.m
resource "corpus_thing" "a" {
  name = "a"
  text = "changed"
}

resource "corpus_thing" "b" {
  name = "b"
}

output "a" {
  value = local.a
}

output "b" {
  value = "${corpus_thing.b.id} changed"
}

output "both" {
  value = "${local.a} ${corpus_thing.b.id}"
}

output "constant" {
  value = 2
}

output "of_module" {
  value = module.m.id
}

output "new" {
  value = 1
}

locals {
  a = corpus_thing.a.length
}

module "m" {
  source = "./m"
}
# file: m/main.tf
resource "corpus_thing" "c" {
  name = "c"
  text = "changed"
}

output "id" {
  value = corpus_thing.c.length
}
# step: apply -destroy -target=corpus_thing.b
# step: plan
