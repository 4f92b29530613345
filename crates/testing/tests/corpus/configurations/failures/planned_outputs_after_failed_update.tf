# The outputs after an update that fails: those that change, those that do not, and one that is removed.

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
