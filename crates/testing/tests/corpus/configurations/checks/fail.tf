# A check that fails is a warning, and the apply succeeds.

# step: apply
resource "corpus_thing" "a" {
  name = "a"
}

check "size" {
  assert {
    condition     = corpus_thing.a.size == 11
    error_message = "The size is ${corpus_thing.a.size}."
  }

  assert {
    condition     = corpus_thing.a.color == "red"
    error_message = "The color is ${corpus_thing.a.color}."
  }
}
