resource "random_pet" "cluster" {
  length = 3
  prefix = "test"
}
