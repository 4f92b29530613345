list "postgresql_grant_role" "all" {
  provider = postgresql
}
