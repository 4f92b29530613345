terraform {
  required_providers {
    postgresql = {
      source = "ferroform/postgresql"
    }
  }
}

variable "password" {
  type      = string
  sensitive = true
}

provider "postgresql" {
  host     = "db.example.com"
  username = "terraform"
  password = var.password
  sslmode  = "verify-full"
}
