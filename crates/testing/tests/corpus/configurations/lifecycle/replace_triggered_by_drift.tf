# Drift of a computed attribute triggers no replacement.

# step: apply
resource "corpus_thing" "a" {
  name = "a"
}

resource "corpus_thing" "b" {
  name = "b"

  lifecycle {
    replace_triggered_by = [corpus_thing.a.size]
  }
}
# step: apply
# change: main a-1 size 20
