# A resource with count is a list: an attribute requires an index.

# step: plan
resource "corpus_thing" "a" {
  count = 1
  name  = "a"
}

output "id" {
  value = corpus_thing.a.id
}
