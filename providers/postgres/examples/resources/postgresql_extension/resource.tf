resource "postgresql_extension" "search" {
  name     = "pg_trgm"
  database = "shop"
  schema   = "public"
}
