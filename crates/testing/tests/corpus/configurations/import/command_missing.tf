# The command import fails if the object does not exist, or if the address is not configured or occupied.

# step: import corpus_thing.a missing
resource "corpus_thing" "a" {
  name = "a"
}
# step: import corpus_thing.b b-1
# step: apply
# step: import corpus_thing.a a-1
