# A block in the middle is removed.

# step: apply
resource "corpus_blocks" "a" {
  name = "a"
  disk { size = 1 }
  disk { size = 2 }
  disk { size = 3 }
}
# step: apply
resource "corpus_blocks" "a" {
  name = "a"
  disk { size = 1 }
  disk { size = 3 }
}
