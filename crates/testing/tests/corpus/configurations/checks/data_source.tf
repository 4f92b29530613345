# A data source in a check is read in the plan if its arguments are known.

# step: apply
check "echo" {
  data "corpus_echo" "e" {
    value = "x"
  }

  assert {
    condition     = data.corpus_echo.e.result == "y"
    error_message = "The result is ${data.corpus_echo.e.result}."
  }
}
