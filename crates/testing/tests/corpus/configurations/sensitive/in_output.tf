# An output with a sensitive attribute of a resource.

# step: plan
resource "corpus_nested" "a" {
  name  = "a"
  owner = { name = "o", token = "s3cret" }
}

output "owner" {
  value = corpus_nested.a.owner
}
