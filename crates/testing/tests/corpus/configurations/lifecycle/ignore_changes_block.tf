# An attribute of a block is ignored, and all blocks of a type.

# step: apply
# variable: size = 1
# variable: ports = [1]
variable "size" {}
variable "ports" {}

resource "corpus_blocks" "a" {
  name = "a"

  disk {
    size = var.size
  }

  dynamic "rule" {
    for_each = var.ports
    content {
      port = rule.value
    }
  }

  lifecycle {
    ignore_changes = [disk[0].size, rule]
  }
}
# step: apply
# variable: size = 2
# variable: ports = [1, 2]
