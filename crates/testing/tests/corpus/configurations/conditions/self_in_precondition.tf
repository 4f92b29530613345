# A precondition cannot refer to self.

# step: validate
resource "corpus_thing" "a" {
  name = "a"

  lifecycle {
    precondition {
      condition     = self.name == "a"
      error_message = "Never."
    }
  }
}
