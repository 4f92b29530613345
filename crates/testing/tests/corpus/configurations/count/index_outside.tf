# count.index exists only in a block with count.

# step: plan
resource "corpus_thing" "a" {
  name = "a${count.index}"
}
