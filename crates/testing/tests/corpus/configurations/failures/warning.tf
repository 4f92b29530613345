# Warnings of the provider.

# step: apply
# variable: text = "a"
variable "text" {}

resource "corpus_thing" "a" {
  name = "a"
  text = var.text
  fail = "warn"
}
# step: apply
# variable: text = "b"
