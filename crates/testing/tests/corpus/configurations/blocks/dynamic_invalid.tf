# Mistakes in dynamic blocks.

# step: validate
resource "corpus_blocks" "a" {
  name = "a"

  dynamic "disk" {
    content {
      size = 1
    }
  }
}
# step: validate
resource "corpus_blocks" "a" {
  name = "a"

  dynamic "disk" {
    for_each = [1]
  }
}
# step: validate
resource "corpus_blocks" "a" {
  name = "a"

  dynamic "other" {
    for_each = [1]
    content {
    }
  }
}
