# An index beyond the instances is an error.

# step: plan
resource "corpus_thing" "a" {
  count = 1
  name  = "a"
}

output "second" {
  value = corpus_thing.a[1].id
}
