# A check that passes.

# step: apply
resource "corpus_thing" "a" {
  name = "a"
}

check "size" {
  assert {
    condition     = corpus_thing.a.size == 10
    error_message = "The size is ${corpus_thing.a.size}."
  }
}
