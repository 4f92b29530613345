# A resource that is created triggers nothing, one that is replaced does.

# step: apply
resource "corpus_thing" "b" {
  name = "b"
}
# step: apply
resource "corpus_thing" "a" {
  name = "a"
  zone = "a"
}

resource "corpus_thing" "b" {
  name = "b"

  lifecycle {
    replace_triggered_by = [corpus_thing.a.id]
  }
}
# step: apply
resource "corpus_thing" "a" {
  name = "a"
  zone = "b"
}

resource "corpus_thing" "b" {
  name = "b"

  lifecycle {
    replace_triggered_by = [corpus_thing.a.id]
  }
}
