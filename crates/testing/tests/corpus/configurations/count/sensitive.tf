# A sensitive count is an error.

# step: plan
variable "n" {
  type      = number
  default   = 1
  sensitive = true
}

resource "corpus_thing" "a" {
  count = var.n
  name  = "a"
}
