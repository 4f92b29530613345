# Strings, numbers and bools convert to the types of the arguments.

# step: apply
resource "corpus_values" "a" {
  name    = 12
  flag    = "true"
  integer = "42"
  number  = "1.5"
  text    = true
}
