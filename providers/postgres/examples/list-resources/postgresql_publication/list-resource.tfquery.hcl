list "postgresql_publication" "shop" {
  provider         = postgresql
  include_resource = true

  config {
    database = "shop"
  }
}
