# A data source sees a change of the service, and objects that use it are updated.

# step: apply
resource "corpus_thing" "a" {
  name = "a"
  text = "configured"
}
# step: apply
resource "corpus_thing" "a" {
  name = "a"
  text = "configured"
}

data "corpus_thing" "a" {
  id = "a-1"
}

resource "corpus_thing" "b" {
  name = "b"
  text = data.corpus_thing.a.text
}
# step: apply
# change: main a-1 text "changed"
