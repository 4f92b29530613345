# A postcondition can refer to the new object by self; if it fails, dependents are not created.
# show: calls

# step: apply
resource "corpus_thing" "a" {
  name = "a"

  lifecycle {
    postcondition {
      condition     = self.size == 11
      error_message = "The size is ${self.size}."
    }
  }
}

resource "corpus_thing" "b" {
  name = "b"
  text = corpus_thing.a.id
}
# step: plan
