# A resource with instances is moved as a whole.

# step: apply
resource "corpus_thing" "old" {
  for_each = toset(["x", "y"])
  name     = each.key
}
# step: apply
moved {
  from = corpus_thing.old
  to   = corpus_thing.new
}

resource "corpus_thing" "new" {
  for_each = toset(["x", "z"])
  name     = each.key
}
