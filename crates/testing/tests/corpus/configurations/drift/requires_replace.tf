# Drift of an attribute that requires replacement.

# step: apply
resource "corpus_thing" "a" {
  name = "a"
  zone = "configured"
}
# step: apply
# change: main a-1 zone "changed"
