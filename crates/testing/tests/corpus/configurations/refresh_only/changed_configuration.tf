# A changed configuration is not planned, but outputs are.

# step: apply
# variable: text = "a"
variable "text" {}

resource "corpus_thing" "a" {
  name = "a"
  text = var.text
}

output "variable" {
  value = var.text
}

output "attribute" {
  value = corpus_thing.a.text
}
# step: apply -refresh-only
# variable: text = "b"
