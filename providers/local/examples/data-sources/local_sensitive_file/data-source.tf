data "local_sensitive_file" "token" {
  filename = "${path.module}/token"
}
