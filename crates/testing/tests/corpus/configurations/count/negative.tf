# A negative count is an error.

# step: plan
resource "corpus_thing" "b" {
  count = -1
  name  = "b"
}
