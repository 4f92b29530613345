# A null condition is an error.

# step: plan
variable "nothing" {
  type    = bool
  default = null
}

resource "corpus_thing" "a" {
  name = "a"

  lifecycle {
    precondition {
      condition     = var.nothing
      error_message = "Never."
    }
  }
}
