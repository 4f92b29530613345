resource "random_pet" "server" {
  # Another image gets another name.
  keepers = {
    image = var.image
  }
}

# The new server has another name, so it can exist before the old one is destroyed.
resource "cloud_server" "web" {
  name = random_pet.server.id
  # The image of the keepers changes together with the name.
  image = random_pet.server.keepers.image

  lifecycle {
    create_before_destroy = true
  }
}

variable "image" {
  type = string
}
