data "tls_public_key" "pem" {
  private_key_pem = file("key.pem")
}

data "tls_public_key" "openssh" {
  private_key_openssh = file("id_ed25519")
}
