# A tainted object is replaced.

# step: apply
resource "corpus_thing" "a" {
  name = "a"
}
# step: taint corpus_thing.a
# step: plan
# step: untaint corpus_thing.a
# step: plan
