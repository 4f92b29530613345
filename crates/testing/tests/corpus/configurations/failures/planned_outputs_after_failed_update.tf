# The outputs after a failed update: a known planned value is stored, an unknown one keeps its prior value, and a removed or null output is deleted.

# step: apply
resource "corpus_thing" "a" {
  name = "a"
  text = "one"
}

output "text" {
  value = corpus_thing.a.text
}

output "length" {
  value = corpus_thing.a.length
}

output "removed" {
  value = corpus_thing.a.name
}

output "nulled" {
  value = corpus_thing.a.name
}
# step: apply
resource "corpus_thing" "a" {
  name = "a"
  text = "three"
  fail = "update"
}

output "text" {
  value = corpus_thing.a.text
}

output "length" {
  value = corpus_thing.a.length
}

output "nulled" {
  value = corpus_thing.a.zone
}
