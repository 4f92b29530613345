# The configuration is changed to the drifted value.

# step: apply
# variable: text = "a"
variable "text" {}

resource "corpus_thing" "a" {
  name = "a"
  text = var.text
}
# step: apply
# variable: text = "b"
# change: main a-1 text "b"
