# A port for each service, which stays the same.
resource "random_integer" "port" {
  min = 20000
  max = 29999

  keepers = {
    service = "search"
  }
}
