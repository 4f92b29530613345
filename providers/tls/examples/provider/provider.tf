resource "tls_private_key" "web" {
  algorithm   = "ECDSA"
  ecdsa_curve = "P256"
}

resource "tls_self_signed_cert" "web" {
  private_key_pem = tls_private_key.web.private_key_pem
  dns_names       = ["www.example.com"]
  allowed_uses    = ["digital_signature", "server_auth"]

  # The certificate is valid for 30 days. A plan in the last seven days replaces it.
  validity_period_hours = 720
  early_renewal_hours   = 168

  subject {
    common_name = "www.example.com"
  }
}
