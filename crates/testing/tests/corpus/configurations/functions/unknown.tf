# A function with an unknown argument is not called, unless it allows unknown values.
# tofu: no: it has no provider-defined functions

# step: apply
resource "corpus_thing" "a" {
  name = "a"
}

output "join" {
  value = provider::corpus::join("-", corpus_thing.a.id, "x")
}

output "known" {
  value = provider::corpus::known("x")
}

resource "corpus_thing" "b" {
  name = "b"
  text = provider::corpus::greet(corpus_thing.a.id)
}
