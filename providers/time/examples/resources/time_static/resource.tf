resource "time_static" "created" {}

output "created_at" {
  value = time_static.created.rfc3339
}
