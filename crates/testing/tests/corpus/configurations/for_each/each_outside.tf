# each.key exists only in a block with for_each.

# step: plan
resource "corpus_thing" "a" {
  name = each.key
}
