resource "postgresql_role" "readers" {
  name = "readers"
}

resource "postgresql_role" "app" {
  name        = "app"
  login       = true
  roles       = [postgresql_role.readers.name]
  search_path = ["app", "public"]

  password_wo         = var.password
  password_wo_version = "1"

  statement_timeout = 30000
}

variable "password" {
  type      = string
  ephemeral = true
}
