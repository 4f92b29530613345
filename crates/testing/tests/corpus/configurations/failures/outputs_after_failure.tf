# Outputs that do not depend on the failed object are stored.

# step: apply
resource "corpus_thing" "bad" {
  name = "bad"
  fail = "create"
}

resource "corpus_thing" "good" {
  name = "good"
}

output "bad" {
  value = corpus_thing.bad.id
}

output "good" {
  value = corpus_thing.good.id
}

output "fixed" {
  value = 1
}
