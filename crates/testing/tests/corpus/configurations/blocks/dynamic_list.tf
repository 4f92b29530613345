# A dynamic block repeats a block for each element.

# step: apply
# variable: sizes = [1, 2]
variable "sizes" {
  type = list(number)
}

resource "corpus_blocks" "a" {
  name = "a"

  dynamic "disk" {
    for_each = var.sizes
    content {
      size = disk.value * 10
      partition {
        label = "p${disk.key}"
      }
    }
  }
}
# step: apply
# variable: sizes = [1, 3, 4]
