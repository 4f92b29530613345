# A destroy of another target is possible.

# step: apply
resource "corpus_thing" "a" {
  name = "a"

  lifecycle {
    prevent_destroy = true
  }
}

resource "corpus_thing" "b" {
  name = "b"
}
# step: apply -destroy -target=corpus_thing.b
