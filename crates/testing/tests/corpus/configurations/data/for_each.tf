# The instances of a data source with for_each.

# step: apply
data "corpus_echo" "e" {
  for_each = { a = "1", b = "2" }
  value    = each.value
}

output "results" {
  value = { for key, it in data.corpus_echo.e : key => it.result }
}
