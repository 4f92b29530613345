resource "tls_self_signed_cert" "ca" {
  private_key_pem       = file("ca-key.pem")
  is_ca_certificate     = true
  validity_period_hours = 87600
  allowed_uses          = ["cert_signing", "crl_signing"]

  subject {
    common_name  = "Example CA"
    organization = "Example"
    country      = "US"
  }
}
