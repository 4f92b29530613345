# The import of an instance that the configuration does not have.
# differs: tofu 1.6.2: it ignores the import

# step: import corpus_thing.many["z"] a-1
resource "corpus_thing" "many" {
  for_each = toset(["a"])
  name     = each.key
}

resource "corpus_thing" "counted" {
  count = length(module.m["x"].list)
  name  = "c${count.index}"
}

module "m" {
  for_each = toset(["x"])
  source   = "./m"
}
# file: m/main.tf
resource "corpus_thing" "b" {
  name = "b"
}

output "list" {
  value = [1, 2]
}
# step: import corpus_thing.many a-1
# step: import corpus_thing.counted[2] a-1
# step: import module.m["y"].corpus_thing.b a-1
# step: import module.m.corpus_thing.b a-1
