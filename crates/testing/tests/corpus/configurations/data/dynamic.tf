# A dynamic attribute of a data source has the type of its value.

# step: apply
data "corpus_echo" "e" {
  any = { list = [1, "a"], map = tomap({ x = true }) }
}

output "copy" {
  value = data.corpus_echo.e.copy
}
