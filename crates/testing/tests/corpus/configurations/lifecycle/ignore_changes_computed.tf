# A computed attribute is decided by the provider, so ignoring it is a warning.

# step: plan
resource "corpus_thing" "a" {
  name = "a"

  lifecycle {
    ignore_changes = [revision]
  }
}
