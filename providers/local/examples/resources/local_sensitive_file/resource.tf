variable "token" {
  type      = string
  sensitive = true
}

# Plans do not show the content.
resource "local_sensitive_file" "token" {
  filename        = "${path.module}/token"
  content         = var.token
  file_permission = "0600"
}
