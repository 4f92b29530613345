list "postgresql_extension" "shop" {
  provider         = postgresql
  include_resource = true

  config {
    database = "shop"
  }
}
