# A list is an error.

# step: plan
resource "corpus_thing" "a" {
  for_each = ["x"]
  name     = each.key
}
