# A change from count to for_each destroys the old instances and creates new ones.

# step: apply
resource "corpus_thing" "a" {
  count = 2
  name  = "a${count.index}"
}
# step: apply
resource "corpus_thing" "a" {
  for_each = toset(["0", "1"])
  name     = "a${each.key}"
}
