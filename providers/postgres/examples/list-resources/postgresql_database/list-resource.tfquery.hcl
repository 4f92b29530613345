list "postgresql_database" "all" {
  provider = postgresql
}
