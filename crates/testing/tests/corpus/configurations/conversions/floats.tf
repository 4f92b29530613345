# Floats with many digits.

# step: apply
resource "corpus_values" "a" {
  name    = "a"
  number  = 0.1
  numbers = [1e10, 1.5e-7, 3]
  text    = 0.1 + 0.2
}
