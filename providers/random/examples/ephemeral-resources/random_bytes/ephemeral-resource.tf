ephemeral "random_bytes" "key" {
  length = 32
}

# The resource stores the version, but not the key.
resource "cloud_secret" "key" {
  value_wo         = ephemeral.random_bytes.key.base64
  value_wo_version = 1
}
