# An error message with a sensitive value is not printed.

# step: plan
variable "token" {
  default   = "s3cret"
  sensitive = true
}

resource "corpus_thing" "a" {
  name = "a"

  lifecycle {
    precondition {
      condition     = var.token == "other"
      error_message = "The token is ${var.token}."
    }
  }
}
