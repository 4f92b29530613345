# A sensitive argument makes the attribute sensitive, and not others.

# step: apply
variable "token" {
  default   = "s3cret"
  sensitive = true
}

data "corpus_echo" "e" {
  value = var.token
}

output "result" {
  value     = data.corpus_echo.e.result
  sensitive = true
}

output "value" {
  value     = data.corpus_echo.e.value
  sensitive = true
}
