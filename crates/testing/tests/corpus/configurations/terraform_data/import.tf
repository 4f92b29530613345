# An import by the command.

# step: import terraform_data.d 00000000-0000-0000-0000-000000000000
resource "terraform_data" "d" {
  input = "x"
}
# step: apply
