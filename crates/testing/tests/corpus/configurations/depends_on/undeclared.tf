# A dependency on a resource that does not exist is an error.

# step: validate
resource "corpus_thing" "a" {
  name       = "a"
  depends_on = [corpus_thing.b]
}
