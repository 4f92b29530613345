resource "postgresql_default_privileges" "read" {
  role        = "app"
  database    = "shop"
  owner       = "shop_owner"
  schema      = "public"
  object_type = "table"
  privileges  = ["SELECT"]
}
