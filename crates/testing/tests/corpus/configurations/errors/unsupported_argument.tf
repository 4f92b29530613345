# An argument that does not exist, and one that is computed.

# step: validate
resource "corpus_thing" "a" {
  name  = "a"
  other = 1
}
# step: validate
resource "corpus_thing" "a" {
  name     = "a"
  revision = 1
}
