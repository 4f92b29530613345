ephemeral "random_bytes" "key" {
  length = 32
}

# Terraform stores the version in state, but not the key. Increment the version to send a new key.
resource "cloud_secret" "key" {
  value_wo         = ephemeral.random_bytes.key.base64
  value_wo_version = 1
}
