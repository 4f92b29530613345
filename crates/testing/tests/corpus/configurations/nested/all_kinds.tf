# Nested attributes of all kinds, with defaults and computed values.

# step: apply
resource "corpus_nested" "a" {
  name    = "a"
  owner   = { name = "o", token = "s3cret" }
  disks   = [{ size = 1 }, { size = 2, mode = "ro", password = "p" }]
  rules   = [{ port = 80 }, { port = 53, protocol = "udp" }]
  volumes = { home = { path = "/home" }, tmp = { class = "fast" } }
}

output "serials" {
  value = corpus_nested.a.disks[*].serial
}

output "class" {
  value = corpus_nested.a.volumes["home"].class
}
