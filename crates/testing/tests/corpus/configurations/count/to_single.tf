# Instance 0 becomes the resource if count is removed.

# step: apply
resource "corpus_thing" "a" {
  count = 2
  name  = "a${count.index}"
}
# step: apply
resource "corpus_thing" "a" {
  name = "a0"
}
