# Only managed resources can trigger a replacement.

# step: validate
variable "x" {}

resource "corpus_thing" "a" {
  name = "a"

  lifecycle {
    replace_triggered_by = [var.x]
  }
}
