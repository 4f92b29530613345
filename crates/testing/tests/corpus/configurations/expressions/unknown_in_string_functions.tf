# Functions with unknown arguments have results with known properties.

# step: apply
resource "corpus_thing" "a" {
  name = "a"
}

output "length" {
  value = length("prefix-${corpus_thing.a.id}") >= 7
}

output "not_null" {
  value = corpus_thing.a.text == null
}

output "list" {
  value = [for it in [corpus_thing.a.id, "x"] : it if it != ""]
}
