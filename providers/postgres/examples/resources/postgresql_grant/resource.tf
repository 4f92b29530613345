# Grants a privilege on all tables that exist in the schema.
resource "postgresql_grant" "read" {
  role        = "app"
  database    = "shop"
  schema      = "public"
  object_type = "table"
  privileges  = ["SELECT"]
}

# Grants a privilege on two columns of a table.
resource "postgresql_grant" "prices" {
  role        = "app"
  database    = "shop"
  schema      = "public"
  object_type = "column"
  objects     = ["products"]
  columns     = ["price", "currency"]
  privileges  = ["UPDATE"]
}

# Revokes the privileges on the database that PostgreSQL grants to all roles by default.
resource "postgresql_grant" "public" {
  role        = "public"
  database    = "shop"
  object_type = "database"
  privileges  = []
}
