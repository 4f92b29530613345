# A resource with count 0 is an empty tuple.

# step: apply
resource "corpus_thing" "a" {
  count = 0
  name  = "a"
}

output "all" {
  value = corpus_thing.a
}

output "first" {
  value = try(corpus_thing.a[0].id, "none")
}

output "one" {
  value = one(corpus_thing.a[*].id)
}
