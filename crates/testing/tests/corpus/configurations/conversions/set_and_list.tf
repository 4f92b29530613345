# A list becomes a set, and a set a list.

# step: apply
resource "corpus_values" "a" {
  name  = "a"
  ports = [3, 1, 2, 3]
}

resource "corpus_values" "b" {
  name    = "b"
  numbers = corpus_values.a.ports
}
