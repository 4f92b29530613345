data "http" "internal" {
  url = "https://config.internal.example.com/v1/settings"

  ca_cert_pem     = file("${path.module}/ca.pem")
  client_cert_pem = file("${path.module}/client.pem")
  client_key_pem  = file("${path.module}/client-key.pem")
}
