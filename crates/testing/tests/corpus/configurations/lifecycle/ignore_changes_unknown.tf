# An unknown value of an ignored attribute is ignored.

# step: apply
resource "corpus_thing" "a" {
  name = "a"
  text = "first"

  lifecycle {
    ignore_changes = [text]
  }
}
# step: apply
resource "corpus_thing" "b" {
  name = "b"
}

resource "corpus_thing" "a" {
  name = "a"
  text = corpus_thing.b.id

  lifecycle {
    ignore_changes = [text]
  }
}
