resource "random_id" "bucket" {
  byte_length = 8
  prefix      = "logs-"
}

output "bucket" {
  value = random_id.bucket.hex
}
