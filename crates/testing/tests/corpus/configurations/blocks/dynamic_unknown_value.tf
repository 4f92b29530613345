# A dynamic block with a known number of unknown elements.

# step: apply
resource "corpus_thing" "a" {
  name = "a"
}

resource "corpus_blocks" "b" {
  name = "b"

  dynamic "disk" {
    for_each = [corpus_thing.a.size, 2]
    content {
      size = disk.value
    }
  }
}
