# The labels of a dynamic block must be known in the validation, where variables are unknown.

# step: apply
variable "volumes" {
  default = { home = "/home", tmp = "/tmp" }
}

resource "corpus_blocks" "a" {
  name = "a"

  dynamic "volume" {
    for_each = var.volumes
    labels   = [volume.key]
    content {
      path = volume.value
    }
  }
}
