# The command import with an instance in a module.

# step: apply
resource "corpus_thing" "a" {
  name = "a"
}

module "m" {
  source = "./m"
}
# file: m/main.tf
resource "corpus_thing" "b" {
  for_each = toset(["x"])
  name     = "b"
}
# step: import module.m.corpus_thing.c["y"] a-1
# file: m/main.tf
resource "corpus_thing" "b" {
  for_each = toset(["x"])
  name     = "b"
}

resource "corpus_thing" "c" {
  for_each = toset(["y"])
  name     = "a"
}
