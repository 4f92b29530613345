# The attribute must exist.

# step: validate
resource "corpus_thing" "a" {
  name = "a"

  lifecycle {
    ignore_changes = [other]
  }
}
