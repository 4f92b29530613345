# Several targets.

# step: plan -target=corpus_thing.a -target=corpus_thing.c
resource "corpus_thing" "a" {
  name = "a"
}

resource "corpus_thing" "b" {
  name = "b"
}

resource "corpus_thing" "c" {
  name = "c"
}
