# The result of a function with a sensitive argument is sensitive.
# tofu: no: it has no provider-defined functions

# step: apply
variable "token" {
  default   = "s3cret"
  sensitive = true
}

output "greet" {
  value     = provider::corpus::greet(var.token)
  sensitive = true
}

resource "corpus_thing" "a" {
  name = "a"
  text = provider::corpus::greet(var.token)
}
