# Terraform stores the token neither in the plan nor in the state.
ephemeral "local_command" "token" {
  command   = "cat"
  arguments = ["${path.module}/token"]
}
