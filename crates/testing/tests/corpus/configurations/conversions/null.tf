# Null for a required argument, and for elements.

# step: plan
resource "corpus_values" "a" {
  name = null
}
# step: plan
resource "corpus_values" "a" {
  name    = "a"
  numbers = [1, null]
}
