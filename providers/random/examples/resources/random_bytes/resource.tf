# Generate the key of a service that signs tokens.
resource "random_bytes" "signing_key" {
  length = 32
}

output "signing_key" {
  value     = random_bytes.signing_key.base64
  sensitive = true
}
