resource "tls_cert_request" "web" {
  private_key_pem = file("key.pem")
  dns_names       = ["www.example.com"]
  ip_addresses    = ["192.0.2.1"]

  subject {
    common_name  = "www.example.com"
    organization = "Example"
  }
}
