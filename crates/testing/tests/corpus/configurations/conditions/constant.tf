# A condition without a reference is an error.

# step: validate
resource "corpus_thing" "a" {
  name = "a"

  lifecycle {
    precondition {
      condition     = false
      error_message = "Always."
    }
  }
}
