resource "terraform_data" "account" {}

resource "time_sleep" "account" {
  depends_on      = [terraform_data.account]
  create_duration = "30s"
}

# Terraform creates this resource at least 30 seconds after the account.
resource "terraform_data" "login" {
  depends_on = [time_sleep.account]
}
