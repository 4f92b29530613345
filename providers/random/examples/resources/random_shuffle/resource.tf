# Choose two of the zones.
resource "random_shuffle" "zones" {
  input        = ["north-1", "north-2", "south-1", "south-2"]
  result_count = 2
}
