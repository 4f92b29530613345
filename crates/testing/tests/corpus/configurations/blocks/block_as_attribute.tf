# A block cannot be set as an attribute, and an attribute cannot be written as a block.

# step: validate
resource "corpus_blocks" "a" {
  name  = "a"
  owner = { name = "x" }
}
# step: validate
resource "corpus_nested" "a" {
  name = "a"
  owner {
    name = "x"
  }
}
