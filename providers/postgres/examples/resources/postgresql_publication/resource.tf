resource "postgresql_publication" "orders" {
  name          = "orders"
  database      = "shop"
  tables        = ["public.orders", "public.order_items"]
  publish_param = ["insert", "update"]
}
