# Syntax errors.
# differs: in process: the parser reports the first error of an expression

# step: validate
resource "corpus_thing" "a" {
  name = "a
}
# step: validate
output "a" {
  value = 1 +
}
# step: validate
output "a" {
  value = [1, 2
}
