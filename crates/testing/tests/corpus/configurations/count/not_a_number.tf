# A string that is a number converts to a count, and another one does not.

# step: plan
resource "corpus_thing" "a" {
  count = "2"
  name  = "a${count.index}"
}
# step: plan
resource "corpus_thing" "a" {
  count = "two"
  name  = "a${count.index}"
}
