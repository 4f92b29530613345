# A dynamic block for a block that can occur once.

# step: apply
# variable: owner = null
variable "owner" {
  type    = object({ name = string })
  default = null
}

resource "corpus_blocks" "a" {
  name = "a"

  dynamic "owner" {
    for_each = var.owner[*]
    content {
      name = owner.value.name
    }
  }
}
# step: apply
# variable: owner = {"name": "me"}
