resource "random_uuid4" "request" {}

output "request" {
  value = random_uuid4.request.result
}
