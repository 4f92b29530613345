# The values of a deleted object are unknown.
# differs: terraform 1.15.5: the unknown value has no type
# differs: tofu 1.6.2: the unknown value has no type

# step: apply
resource "corpus_thing" "a" {
  name = "a"
}

resource "corpus_thing" "c" {
  count = 2
  name  = "c${count.index}"
}

resource "corpus_thing" "f" {
  for_each = toset(["x", "y"])
  name     = "f${each.key}"
}

output "a" {
  value = corpus_thing.a.name
}

output "c" {
  value = corpus_thing.c[*].name
}

output "f" {
  value = [for it in corpus_thing.f : it.name]
}

resource "corpus_thing" "dependent" {
  name = "dependent"
  text = corpus_thing.a.name
}
# step: apply -refresh-only
# delete: main a-1
# delete: main c0-1
# delete: main fx-1
# step: plan
