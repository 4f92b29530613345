# A dynamic block with an unknown number of elements.

# step: apply
resource "corpus_thing" "a" {
  name = "a"
}

resource "corpus_blocks" "b" {
  name = "b"

  dynamic "disk" {
    for_each = corpus_thing.a.size > 5 ? [1, 2] : []
    content {
      size = disk.value
    }
  }
}
