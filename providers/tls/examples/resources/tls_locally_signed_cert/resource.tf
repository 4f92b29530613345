resource "tls_locally_signed_cert" "web" {
  cert_request_pem   = tls_cert_request.web.cert_request_pem
  ca_private_key_pem = file("ca-key.pem")
  ca_cert_pem        = file("ca.pem")

  validity_period_hours = 720
  early_renewal_hours   = 168
  allowed_uses          = ["digital_signature", "server_auth"]
}

resource "tls_cert_request" "web" {
  private_key_pem = file("key.pem")
  dns_names       = ["www.example.com"]
}
