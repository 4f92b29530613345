# Blocks with the same name.

# step: validate
resource "corpus_thing" "a" {
  name = "a"
}
resource "corpus_thing" "a" {
  name = "b"
}
# step: validate
locals {
  a = 1
}
locals {
  a = 2
}
# step: validate
output "a" { value = 1 }
output "a" { value = 2 }
# step: validate
resource "corpus_thing" "a" {
  name = "a"
  name = "b"
}
