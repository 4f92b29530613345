resource "time_rotating" "month" {
  rotation_days = 30
}

resource "terraform_data" "credentials" {
  # Terraform plans a rotation as a create, which does not trigger `replace_triggered_by`. Reference an attribute instead.
  triggers_replace = time_rotating.month.id
}
