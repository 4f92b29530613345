# A set of numbers is an error.

# step: plan
resource "corpus_thing" "a" {
  for_each = toset([1, 2])
  name     = "a"
}
