# A missing argument in a block, and an unsupported block and argument.

# step: validate
resource "corpus_blocks" "a" {
  name = "a"

  disk {
    format = "ext4"
  }

  other {
  }

  owner {
    name  = "x"
    other = 1
  }
}
