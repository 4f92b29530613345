# A deleted object is removed from the state.

# step: apply
resource "corpus_thing" "a" {
  name = "a"
}

resource "corpus_thing" "b" {
  name = "b"
  text = corpus_thing.a.id
}
# step: apply -refresh-only
# delete: main a-1
# step: plan
