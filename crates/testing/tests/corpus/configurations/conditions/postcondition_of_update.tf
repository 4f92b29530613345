# A postcondition that fails after an update: the new values are in the state.

# step: apply
# variable: text = "a"
variable "text" {}

resource "corpus_thing" "a" {
  name = "a"
  text = var.text

  lifecycle {
    postcondition {
      condition     = self.revision < 2
      error_message = "The revision is ${self.revision}."
    }
  }
}
# step: apply
# variable: text = "b"
# step: plan
