# An output with a known planned value is stored, even if its object cannot be created.

# step: apply
resource "corpus_thing" "bad" {
  name = "bad"
  fail = "create"
}

output "name" {
  value = corpus_thing.bad.name
}

output "id" {
  value = corpus_thing.bad.id
}

output "both" {
  value = [corpus_thing.bad.name, corpus_thing.bad.id]
}

output "secret" {
  value     = sensitive(corpus_thing.bad.name)
  sensitive = true
}
