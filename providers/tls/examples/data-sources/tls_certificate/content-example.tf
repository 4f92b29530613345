data "tls_certificate" "file" {
  content = file("certificate.pem")
}

output "expires" {
  value = data.tls_certificate.file.certificates[0].not_after
}
