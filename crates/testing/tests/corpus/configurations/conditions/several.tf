# All failing conditions are reported.

# step: plan
variable "no" {
  default = false
}

resource "corpus_thing" "a" {
  name = "a"

  lifecycle {
    precondition {
      condition     = var.no
      error_message = "First."
    }

    precondition {
      condition     = var.no
      error_message = "Second."
    }

    precondition {
      condition     = !var.no
      error_message = "Third."
    }
  }
}
