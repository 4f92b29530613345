resource "postgresql_schema" "app" {
  name         = "app"
  database     = "shop"
  owner        = "shop_owner"
  drop_cascade = true
}
