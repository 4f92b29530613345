# An object whose block is removed together with prevent_destroy is destroyed.
# show: calls

# step: apply
resource "corpus_thing" "a" {
  name = "a"

  lifecycle {
    prevent_destroy = true
  }
}
# step: apply
# Nothing is left.
