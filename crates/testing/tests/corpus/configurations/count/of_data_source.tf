# A data source with count is read for each instance.
# show: sorted calls

# step: apply
data "corpus_echo" "e" {
  count = 2
  value = "v${count.index}"
}

output "results" {
  value = data.corpus_echo.e[*].result
}
