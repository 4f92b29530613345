list "postgresql_function" "shop" {
  provider         = postgresql
  include_resource = true

  config {
    database = "shop"
  }
}
