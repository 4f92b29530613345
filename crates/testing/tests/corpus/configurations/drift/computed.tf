# Drift of a computed attribute changes objects that refer to it.

# step: apply
resource "corpus_thing" "a" {
  name = "a"
}

resource "corpus_thing" "b" {
  name = "b"
  text = "size ${corpus_thing.a.size}"
}

output "size" {
  value = corpus_thing.a.size
}
# step: apply
# change: main a-1 size 20
