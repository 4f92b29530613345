# A data source in a check cannot be referred to from outside of it.

# step: validate
check "echo" {
  data "corpus_echo" "e" {
    value = "x"
  }

  assert {
    condition     = data.corpus_echo.e.result == "x"
    error_message = "Never."
  }
}

output "result" {
  value = data.corpus_echo.e.result
}
