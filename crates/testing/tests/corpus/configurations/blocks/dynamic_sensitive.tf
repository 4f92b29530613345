# A dynamic block of a sensitive collection.
# differs: tofu 1.6.2: it rejects a sensitive collection; later versions mark the blocks

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
