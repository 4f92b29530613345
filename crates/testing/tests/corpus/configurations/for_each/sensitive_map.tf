# A sensitive map is an error.

# step: plan
variable "all" {
  type      = map(string)
  default   = { x = "1" }
  sensitive = true
}

resource "corpus_thing" "a" {
  for_each = var.all
  name     = each.key
}
