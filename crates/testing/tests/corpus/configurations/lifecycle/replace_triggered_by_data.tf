# terraform_data triggers a replacement if its input changes.

# step: apply
variable "version_of_data" {
  default = 1
}

resource "terraform_data" "version" {
  input = var.version_of_data
}

resource "corpus_thing" "a" {
  name = "a"

  lifecycle {
    replace_triggered_by = [terraform_data.version]
  }
}
# step: apply
# variable: version_of_data = 2
