# Keys with quotes, dots and spaces are escaped in addresses.

# step: apply
resource "corpus_thing" "a" {
  for_each = toset(["a b", "c.d", "e\"f", "g/h", "ü"])
  name     = each.key
}
