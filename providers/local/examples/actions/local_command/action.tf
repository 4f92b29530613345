action "local_command" "greet" {
  config {
    command   = "echo"
    arguments = ["Hello"]
  }
}

# The command runs after the file is created.
resource "local_file" "greeting" {
  filename = "${path.module}/greeting.txt"
  content  = "Hello"

  lifecycle {
    action_trigger {
      events  = [after_create]
      actions = [action.local_command.greet]
    }
  }
}
