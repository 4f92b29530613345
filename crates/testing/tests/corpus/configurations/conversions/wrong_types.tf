# Values that do not convert.

# step: validate
resource "corpus_values" "a" {
  name    = "a"
  integer = "many"
}
# step: validate
resource "corpus_values" "a" {
  name  = "a"
  flags = { a = "maybe" }
}
# step: validate
resource "corpus_values" "a" {
  name = ["a"]
}
# step: validate
resource "corpus_values" "a" {
  name    = "a"
  numbers = 1
}
# step: validate
resource "corpus_values" "a" {
  name  = "a"
  point = { x = 1 }
}
