ephemeral "random_password" "database" {
  length = 24
}

# Terraform stores the version in state, but not the password. Increment the version to send a new password.
resource "cloud_database" "main" {
  password_wo         = ephemeral.random_password.database.result
  password_wo_version = 1
}
