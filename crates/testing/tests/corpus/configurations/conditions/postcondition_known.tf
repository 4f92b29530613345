# A postcondition that fails with known values fails in the plan.

# step: plan
resource "corpus_thing" "a" {
  name = "a"

  lifecycle {
    postcondition {
      condition     = self.color == "red"
      error_message = "The color is ${self.color}."
    }
  }
}
