# Variables, locals and for_each of a query file.
# terraform: 1.14: list resources
# tofu: no: it has no list resources

# step: apply
# variable: prefix = "y"
variable "prefix" {}

resource "corpus_thing" "a" {
  for_each = toset(["x1", "y1"])
  name     = each.key
}
# step: query
# file: all.tfquery.hcl
list "corpus_thing" "some" {
  provider = corpus

  config {
    prefix = var.prefix
  }
}

list "corpus_thing" "each" {
  for_each = toset(["x", "y"])
  provider = corpus

  config {
    prefix = each.key
  }
}
