# Integers beyond 53 bits are kept exactly.

# step: apply
resource "corpus_values" "a" {
  name    = "a"
  integer = 9007199254740993
  any     = { large = 9007199254740993 }
  text    = 9007199254740993
}
