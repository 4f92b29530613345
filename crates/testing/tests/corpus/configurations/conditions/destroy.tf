# Conditions are not checked when everything is destroyed.

# step: apply
# variable: ok = true
variable "ok" {}

resource "corpus_thing" "a" {
  name = "a"

  lifecycle {
    precondition {
      condition     = var.ok
      error_message = "Not ok."
    }
  }
}
# step: apply -destroy
# variable: ok = false
