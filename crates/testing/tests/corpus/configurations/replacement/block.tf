# An attribute of a block requires replacement.

# step: apply
# variable: format = "ext4"
variable "format" {}

resource "corpus_blocks" "a" {
  name = "a"
  disk {
    size   = 1
    format = var.format
  }
}
# step: apply
# variable: format = "xfs"
