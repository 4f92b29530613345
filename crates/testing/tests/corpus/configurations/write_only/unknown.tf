# The value of a write-only attribute is unknown in the plan.
# tofu: no: it has no write-only attributes

# step: apply
resource "corpus_thing" "a" {
  name = "a"
}

resource "corpus_secret" "b" {
  name          = "b"
  token         = corpus_thing.a.id
  token_version = 1
}
