# Each index becomes a key.

# step: apply
resource "corpus_thing" "a" {
  count = 2
  name  = "a${count.index}"
}
# step: apply
moved {
  from = corpus_thing.a[0]
  to   = corpus_thing.a["a0"]
}

moved {
  from = corpus_thing.a[1]
  to   = corpus_thing.a["a1"]
}

resource "corpus_thing" "a" {
  for_each = toset(["a0", "a1"])
  name     = each.key
}
