# Two blocks with the same label.

# step: validate
resource "corpus_blocks" "a" {
  name = "a"

  volume "x" {
  }
  volume "x" {
  }
}
