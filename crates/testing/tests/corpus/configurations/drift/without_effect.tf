# Drift of a computed attribute that nothing refers to.

# step: apply
resource "corpus_thing" "a" {
  name = "a"
}
# step: apply
# change: main a-1 size 20
