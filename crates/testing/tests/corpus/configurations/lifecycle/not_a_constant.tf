# Arguments of lifecycle cannot be expressions with references.

# step: validate
variable "x" {
  default = true
}

resource "corpus_thing" "a" {
  name = "a"

  lifecycle {
    prevent_destroy = var.x
  }
}
