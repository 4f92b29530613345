# A null count is an error.

# step: plan
variable "n" {
  type    = number
  default = null
}

resource "corpus_thing" "b" {
  count = var.n
  name  = "b"
}
