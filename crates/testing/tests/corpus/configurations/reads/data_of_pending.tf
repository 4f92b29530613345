# A data source with an unknown argument, or that depends on a change, is read once during the apply.
# show: reads

# step: apply
resource "corpus_thing" "a" {
  name = "a"
}

data "corpus_thing" "a" {
  id = corpus_thing.a.id
}

data "corpus_echo" "after" {
  value      = "after"
  depends_on = [corpus_thing.a]
}

data "corpus_echo" "other" {
  value = "other"
}

check "c" {
  data "corpus_echo" "inner" {
    value = "inner"
  }
  assert {
    condition     = data.corpus_echo.inner.result == "inner"
    error_message = "Another result."
  }
}
# step: plan
# step: apply
