# More blocks than allowed, written and dynamic, and a single block twice.

# step: validate
resource "corpus_blocks" "a" {
  name = "a"

  owner {
    name = "x"
  }
  owner {
    name = "y"
  }
}
# step: plan
resource "corpus_blocks" "a" {
  name = "a"

  dynamic "disk" {
    for_each = [1, 2, 3, 4]
    content {
      size = disk.value
    }
  }
}
