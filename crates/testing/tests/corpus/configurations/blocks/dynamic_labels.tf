# A dynamic block with labels.

# step: apply
locals {
  volumes = { home = "/home", tmp = "/tmp" }
}

resource "corpus_blocks" "a" {
  name = "a"

  dynamic "volume" {
    for_each = local.volumes
    labels   = [volume.key]
    content {
      path = volume.value
    }
  }
}
