ephemeral "random_password" "database" {
  length = 24
}

# The resource stores the version, but not the password.
resource "cloud_database" "main" {
  password_wo         = ephemeral.random_password.database.result
  password_wo_version = 1
}
