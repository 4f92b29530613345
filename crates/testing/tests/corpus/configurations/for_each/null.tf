# A null map is an error.

# step: plan
variable "all" {
  type    = map(string)
  default = null
}

resource "corpus_thing" "a" {
  for_each = var.all
  name     = each.key
}
