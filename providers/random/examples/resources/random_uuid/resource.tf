resource "random_uuid" "request" {}

output "request" {
  value = random_uuid.request.result
}
