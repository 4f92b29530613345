# terraform_data keeps its input as its output.

# step: apply
# variable: input = {"a": 1}
variable "input" {
  type = any
}

resource "terraform_data" "d" {
  input = var.input
}

output "output" {
  value = terraform_data.d.output
}
# step: apply
# variable: input = ["x"]
