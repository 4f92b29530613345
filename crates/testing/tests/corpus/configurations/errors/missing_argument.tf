# A missing required argument.

# step: validate
resource "corpus_thing" "a" {
}
