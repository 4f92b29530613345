resource "postgresql_grant_role" "bob" {
  role              = "bob"
  grant_role        = "admins"
  with_admin_option = true
}
