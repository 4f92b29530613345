resource "time_rotating" "month" {
  rotation_days = 30
}

resource "terraform_data" "credentials" {
  # The time changes with each rotation. A rotation is a creation, so `replace_triggered_by` cannot refer to the
  # resource itself.
  triggers_replace = time_rotating.month.id
}
