# The command import.

# step: apply
resource "corpus_thing" "a" {
  name = "a"
  text = "hello"
}
# step: import corpus_thing.b a-1
resource "corpus_thing" "a" {
  name = "a"
  text = "hello"
}

resource "corpus_thing" "b" {
  name = "a"
  text = "changed"
}
# step: plan
