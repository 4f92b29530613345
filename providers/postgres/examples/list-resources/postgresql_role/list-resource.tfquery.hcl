list "postgresql_role" "all" {
  provider = postgresql
}
