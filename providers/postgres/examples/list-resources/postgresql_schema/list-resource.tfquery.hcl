list "postgresql_schema" "shop" {
  provider         = postgresql
  include_resource = true

  config {
    database = "shop"
  }
}
