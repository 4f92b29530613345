# Drift of one instance.

# step: apply
resource "corpus_thing" "a" {
  for_each = toset(["x", "y"])
  name     = each.key
  text     = "configured"
}
# step: plan
# change: main y-1 text "changed"
