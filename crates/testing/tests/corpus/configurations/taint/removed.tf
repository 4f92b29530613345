# A tainted object that is no longer configured is destroyed.

# step: apply
resource "corpus_thing" "a" {
  name = "a"
}
# step: taint corpus_thing.a
# step: apply
# Nothing is configured.
