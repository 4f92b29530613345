# A dynamic block inside a dynamic block.

# step: apply
variable "disks" {
  default = [
    { size = 1, partitions = ["a", "b"] },
    { size = 2, partitions = [] },
  ]
}

resource "corpus_blocks" "a" {
  name = "a"

  dynamic "disk" {
    for_each = var.disks
    content {
      size = disk.value.size

      dynamic "partition" {
        for_each = disk.value.partitions
        content {
          label = "${disk.key}-${partition.value}"
        }
      }
    }
  }
}
