resource "postgresql_database" "shop" {
  name             = "shop"
  owner            = postgresql_role.owner.name
  encoding         = "UTF8"
  lc_collate       = "C"
  lc_ctype         = "C"
  connection_limit = 100
}

resource "postgresql_role" "owner" {
  name = "shop_owner"
}
