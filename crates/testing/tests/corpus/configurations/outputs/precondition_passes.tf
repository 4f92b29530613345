# A precondition of an output that passes.

# step: apply
resource "corpus_thing" "a" {
  name = "a"
}

output "id" {
  value = corpus_thing.a.id

  precondition {
    condition     = corpus_thing.a.size == 10
    error_message = "The size is not 10."
  }
}
