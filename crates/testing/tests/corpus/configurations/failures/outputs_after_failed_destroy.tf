# The outputs after a destroy that fails.

# step: apply
resource "corpus_thing" "a" {
  name = "a"
  fail = "delete"
}

data "corpus_echo" "e" {
  value = "e"
}

data "corpus_echo" "dependent" {
  value = corpus_thing.a.id
}

resource "corpus_thing" "b" {
  name = "b"
}

output "name" {
  value = corpus_thing.a.name
}
# step: apply -destroy
