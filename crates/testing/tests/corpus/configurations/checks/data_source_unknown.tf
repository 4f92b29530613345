# A data source in a check with unknown arguments is read during apply.
# show: calls

# step: apply
resource "corpus_thing" "a" {
  name = "a"
}

check "echo" {
  data "corpus_echo" "e" {
    value = corpus_thing.a.id
  }

  assert {
    condition     = data.corpus_echo.e.result == "a-1"
    error_message = "Another ID."
  }
}
