# The files of a directory are one module.

# step: apply
resource "corpus_thing" "a" {
  name = local.name
  text = var.text
}
# file: locals.tf
locals {
  name = "from-${var.text}"
}
# file: variables.tf
variable "text" {
  default = "x"
}
# file: notes.txt
This is no configuration.
