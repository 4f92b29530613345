# A null string in a set is an error.

# step: plan
variable "names" {
  type    = set(string)
  default = ["x", null]
}

resource "corpus_thing" "a" {
  for_each = var.names
  name     = each.key
}
