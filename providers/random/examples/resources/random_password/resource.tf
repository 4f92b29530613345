resource "random_password" "database" {
  length           = 24
  min_numeric      = 2
  override_special = "-_.~"
}

output "password" {
  value     = random_password.database.result
  sensitive = true
}
