# A for expression over an unknown collection is unknown.

# step: apply
resource "corpus_nested" "a" {
  name    = "a"
  volumes = { x = {} }
}

output "names" {
  value = [for endpoint in corpus_nested.a.endpoints : endpoint.name]
}

output "count" {
  value = length(corpus_nested.a.endpoints)
}
