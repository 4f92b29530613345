# The generated configuration of nested attributes.
# tofu: no: it crashes
# show: generated
# differs: terraform 1.15.5: the provider generates the configuration, and omits defaults, since 1.14

# step: apply
resource "corpus_nested" "a" {
  name    = "n"
  owner   = { name = "o", token = "s3cret" }
  disks   = [{ size = 1 }]
  rules   = [{ port = 80, note = "x" }]
  volumes = { home = { path = "/home" } }
}
# step: plan -generate-config-out=generated.tf
import {
  to = corpus_nested.b
  id = "n-1"
}

resource "corpus_nested" "a" {
  name    = "n"
  owner   = { name = "o", token = "s3cret" }
  disks   = [{ size = 1 }]
  rules   = [{ port = 80, note = "x" }]
  volumes = { home = { path = "/home" } }
}
