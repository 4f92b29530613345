# A tainted object whose configuration changes as well.

# step: apply
resource "corpus_thing" "a" {
  name = "a"
  text = "first"
}
# step: taint corpus_thing.a
# step: apply
resource "corpus_thing" "a" {
  name = "a"
  text = "second"
}
