# An override file changes arguments of a block.

# step: apply
variable "text" {
  default = "original"
}

resource "corpus_thing" "a" {
  name  = "a"
  text  = var.text
  color = "red"
}
# file: override.tf
variable "text" {
  default = "overridden"
}

resource "corpus_thing" "a" {
  color = "green"
}
