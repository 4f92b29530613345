data "tls_certificate" "site" {
  url = "https://www.example.com"
}

output "thumbprint" {
  value = data.tls_certificate.site.certificates[0].sha1_fingerprint
}
