# An attribute that the resource type does not have.

# step: validate
resource "corpus_thing" "a" {
  name = "a"
}

output "x" {
  value = corpus_thing.a.other
}
# step: validate
output "x" {
  value = corpus_thing
}
