# A condition must be a bool.

# step: plan
variable "text" {
  default = "maybe"
}

resource "corpus_thing" "a" {
  name = "a"

  lifecycle {
    precondition {
      condition     = var.text
      error_message = "Never."
    }
  }
}
