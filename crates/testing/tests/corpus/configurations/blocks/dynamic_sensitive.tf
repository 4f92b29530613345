# A dynamic block of a sensitive collection.

# step: plan
variable "sizes" {
  default   = [1, 2]
  sensitive = true
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
