# A target that is not an address.

# step: plan -target=corpus_thing
resource "corpus_thing" "a" {
  name = "a"
}
