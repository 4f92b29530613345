# A number with a fraction is not an integer.

# step: plan
resource "corpus_values" "a" {
  name    = "a"
  integer = 1.5
}
