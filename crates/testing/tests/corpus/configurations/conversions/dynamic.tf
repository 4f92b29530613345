# A dynamic attribute keeps the type of its value, and a change of the type is a change.

# step: apply
# variable: any = ["a", 1]
variable "any" {
  type = any
}

resource "corpus_values" "a" {
  name = "a"
  any  = var.any
}

output "copy" {
  value = corpus_values.a.copy
}
# step: apply
# variable: any = {"a": ["x"]}
# step: apply
# variable: any = null
