resource "terraform_data" "role" {
  input = "reader"
}

resource "time_sleep" "role" {
  create_duration = "60s"

  triggers = {
    # Another role causes another delay.
    role = terraform_data.role.output
  }
}

resource "terraform_data" "assignment" {
  # The role is read from the triggers, so that this resource depends on the delay.
  input = time_sleep.role.triggers.role
}
