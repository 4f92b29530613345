ephemeral "postgresql_password" "app" {
  length = 40
}

resource "postgresql_role" "app" {
  name                = "app"
  login               = true
  password_wo         = ephemeral.postgresql_password.app.password
  password_wo_version = "1"
}
