# An object that is moved to an address without a configuration is destroyed there.

# step: apply
resource "corpus_thing" "a" {
  name = "a"
}
# step: apply
moved {
  from = corpus_thing.a
  to   = corpus_thing.b
}
