# terraform_data with an argument that does not exist.

# step: validate
resource "terraform_data" "a" {
  inputs = 1
}
