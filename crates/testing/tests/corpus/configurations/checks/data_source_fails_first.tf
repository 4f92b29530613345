# If the data source of a check fails, its assertions are not evaluated. After a failed assertion, pending ones are unknown.

# step: apply
check "data" {
  data "corpus_echo" "e" {
    value = "x"
    fail  = "read"
  }

  assert {
    condition     = terraform.workspace == "x"
    error_message = "second"
  }
}

resource "corpus_thing" "a" {
  name = "a"
}

check "assertions" {
  assert {
    condition     = terraform.workspace == "x"
    error_message = "first"
  }

  assert {
    condition     = corpus_thing.a.id == "a-1"
    error_message = "second"
  }
}
