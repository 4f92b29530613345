# One element of a list is ignored.

# step: apply
# variable: items = ["a", "b"]
variable "items" {}

resource "corpus_thing" "a" {
  name  = "a"
  items = var.items

  lifecycle {
    ignore_changes = [items[0]]
  }
}
# step: apply
# variable: items = ["x", "b"]
# step: apply
# variable: items = ["x", "y", "z"]
