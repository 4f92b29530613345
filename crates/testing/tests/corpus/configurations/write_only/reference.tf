# A reference to a write-only attribute is null.
# tofu: no: it has no write-only attributes

# step: apply
resource "corpus_secret" "a" {
  name          = "a"
  token         = "t"
  token_version = 1
}

output "is_null" {
  value = corpus_secret.a.token == null
}

output "password" {
  value     = corpus_secret.a.password
  sensitive = true
}
