# Blocks and references in places where they are not allowed.

# step: validate
resource "corpus_thing" "a" {
  name = "a"
  text = self.name
}
# step: validate
variable "a" {
  default = local.b
}

locals {
  b = 1
}
# step: validate
module "m" {
  name = "x"
}
# step: validate
locals {
  a {
  }
}
