# A resource gets another name and another value.

# step: apply
resource "corpus_thing" "old" {
  name = "a"
}
# step: apply
moved {
  from = corpus_thing.old
  to   = corpus_thing.new
}

resource "corpus_thing" "new" {
  name = "a"
  text = "changed"
  zone = "z"
}
