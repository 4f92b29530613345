# A provider that is not required, and an unknown meta-argument.

# step: validate
resource "corpus_thing" "a" {
  provider = other
  name     = "a"
}
# step: validate
resource "corpus_thing" "a" {
  name     = "a"
  provider = "corpus"
}
