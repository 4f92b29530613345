# An output contains a whole object, with unknown parts in the plan.

# step: apply
resource "corpus_thing" "a" {
  name = "a"
  tags = { kind = "test" }
}

output "thing" {
  value = corpus_thing.a
}
