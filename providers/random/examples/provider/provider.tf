resource "random_pet" "server" {
  # Generate a new name each time the image changes.
  keepers = {
    image = var.image
  }
}

# The replacement has a different name, so Terraform can create it before it destroys the old server.
resource "cloud_server" "web" {
  name = random_pet.server.id
  # Read the image from `keepers`, so that it changes only together with the name.
  image = random_pet.server.keepers.image

  lifecycle {
    create_before_destroy = true
  }
}

variable "image" {
  type = string
}
