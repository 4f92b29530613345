# A target that does not exist selects nothing.

# step: plan -target=corpus_thing.missing
resource "corpus_thing" "a" {
  name = "a"
}
