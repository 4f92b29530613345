resource "terraform_data" "role" {
  input = "reader"
}

resource "time_sleep" "role" {
  create_duration = "60s"

  triggers = {
    # Wait again each time the role changes.
    role = terraform_data.role.output
  }
}

resource "terraform_data" "assignment" {
  # Read the role from `triggers`, so that this resource depends on the delay.
  input = time_sleep.role.triggers.role
}
