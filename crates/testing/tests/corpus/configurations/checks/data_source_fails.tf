# The error of a data source in a check is a warning.

# step: apply
check "echo" {
  data "corpus_echo" "e" {
    value = "x"
    fail  = "read"
  }

  assert {
    condition     = data.corpus_echo.e.result == "x"
    error_message = "No result."
  }
}
