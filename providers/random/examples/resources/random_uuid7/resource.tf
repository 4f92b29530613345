resource "random_uuid7" "request" {}

output "request" {
  value = random_uuid7.request.result
}
