# Blocks with wrong labels, arguments and names.

# step: validate
resource "corpus_thing" {
  name = "a"
}
# step: validate
other "a" {
}
# step: validate
output "a" {
}
# step: validate
variable "a" {
  type = text
}
# step: validate
resource "corpus_thing" "1a" {
  name = "a"
}
