# A resource that loses for_each is a new object.

# step: apply
resource "corpus_thing" "a" {
  for_each = toset(["x"])
  name     = "a"
}
# step: apply
resource "corpus_thing" "a" {
  name = "a"
}
