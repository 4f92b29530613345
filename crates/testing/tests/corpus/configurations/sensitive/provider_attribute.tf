# Attributes that the schema marks as sensitive.

# step: apply
resource "corpus_values" "a" {
  name    = "a"
  secret  = "s3cret"
  secrets = { a = "x" }
}

resource "corpus_thing" "b" {
  name = "b"
  text = corpus_values.a.secret
  tags = corpus_values.a.secrets
}

output "keys" {
  value     = keys(corpus_values.a.secrets)
  sensitive = true
}
