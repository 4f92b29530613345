# The option -replace with an instance.

# step: apply
resource "corpus_thing" "a" {
  for_each = toset(["x", "y"])
  name     = each.key
}
# step: plan -replace=corpus_thing.a["x"]
