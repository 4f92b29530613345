import {
  to = postgresql_grant.prices
  identity = {
    role           = "app"
    database       = "shop"
    object_type    = "column"
    schema         = "public"
    sorted_objects = ["products"]
    sorted_columns = ["currency", "price"]
  }
}
