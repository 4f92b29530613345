# An unknown index, and an unknown key.

# step: apply
resource "corpus_thing" "a" {
  name = "a"
}

output "element" {
  value = ["a", "b", "c"][corpus_thing.a.revision]
}

output "entry" {
  value = { "a-1" = "found" }[corpus_thing.a.id]
}
