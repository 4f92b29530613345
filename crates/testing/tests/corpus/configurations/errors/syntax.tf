# Syntax errors.

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
