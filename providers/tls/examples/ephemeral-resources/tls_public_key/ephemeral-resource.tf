ephemeral "tls_private_key" "example" {
  algorithm = "ED25519"
}

ephemeral "tls_public_key" "example" {
  private_key_pem = ephemeral.tls_private_key.example.private_key_pem
}
