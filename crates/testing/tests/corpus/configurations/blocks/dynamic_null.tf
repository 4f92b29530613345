# The for_each of a dynamic block cannot be null.

# step: plan
variable "sizes" {
  type    = list(number)
  default = null
}

resource "corpus_blocks" "a" {
  name = "a"

  dynamic "disk" {
    for_each = var.sizes
    content {
      size = disk.value
    }
  }
}
