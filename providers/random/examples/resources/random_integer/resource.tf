# Choose a port for the service and keep it until the service changes.
resource "random_integer" "port" {
  min = 20000
  max = 29999

  keepers = {
    service = "search"
  }
}
