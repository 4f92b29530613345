resource "terraform_data" "network" {}

resource "time_sleep" "network" {
  depends_on       = [terraform_data.network]
  destroy_duration = "30s"
}

# Terraform destroys the network at least 30 seconds after this resource.
resource "terraform_data" "machine" {
  depends_on = [time_sleep.network]
}
