# An attribute of a nested object is ignored.

# step: apply
# variable: mail = "a"
# variable: size = 1
variable "mail" {}
variable "size" {}

resource "corpus_nested" "a" {
  name  = "a"
  owner = { name = "o", mail = var.mail }
  disks = [{ size = var.size }]

  lifecycle {
    ignore_changes = [owner.mail, disks[0].size]
  }
}
# step: apply
# variable: mail = "b"
# variable: size = 2
