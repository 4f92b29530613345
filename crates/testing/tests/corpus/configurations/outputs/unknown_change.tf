# The plan of an output with an unknown value that turns out to be unchanged.

# step: apply
# variable: text = "aa"
variable "text" {}

resource "corpus_thing" "a" {
  name = "a"
  text = var.text
}

output "length" {
  value = corpus_thing.a.length
}
# step: apply
# variable: text = "bb"
