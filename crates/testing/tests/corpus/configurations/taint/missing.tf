# An object that is not in the state, and one that is not tainted.

# step: apply
resource "corpus_thing" "a" {
  name = "a"
}
# step: taint corpus_thing.b
# step: untaint corpus_thing.a
