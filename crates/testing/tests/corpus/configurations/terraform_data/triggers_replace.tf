# A change of triggers_replace replaces it.

# step: apply
# variable: version_number = 1
variable "version_number" {
  default = 1
}

resource "terraform_data" "d" {
  triggers_replace = [var.version_number]
  input            = "fixed"
}

resource "corpus_thing" "a" {
  name = "a"
  text = terraform_data.d.output
}
# step: apply
# variable: version_number = 2
