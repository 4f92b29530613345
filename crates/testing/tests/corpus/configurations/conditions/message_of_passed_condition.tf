# The error message of a condition that passes is checked too.

# step: plan
# variable: secret = "s3cret"
variable "secret" {
  sensitive = true
}

resource "corpus_thing" "a" {
  name = "a"

  lifecycle {
    precondition {
      condition     = var.secret != ""
      error_message = "The secret is ${var.secret}."
    }

    postcondition {
      condition     = self.name == "a"
      error_message = "The secret is ${var.secret}."
    }
  }
}
