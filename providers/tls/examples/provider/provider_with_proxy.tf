provider "tls" {
  proxy {
    url      = "https://proxy.example.com:3128"
    username = "terraform"
    password = var.proxy_password
  }
}

variable "proxy_password" {
  type      = string
  sensitive = true
}
