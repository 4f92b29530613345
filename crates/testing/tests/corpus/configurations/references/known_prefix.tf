# A template with an unknown part has a known prefix, so a function can decide about it.

# step: apply
resource "corpus_thing" "a" {
  name = "a"
}

output "starts_with" {
  value = startswith("thing-${corpus_thing.a.id}", "thing-")
}

output "is_null" {
  value = "x${corpus_thing.a.id}" == null
}
