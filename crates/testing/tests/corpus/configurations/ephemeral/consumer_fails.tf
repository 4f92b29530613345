# An ephemeral resource is not closed if an object that uses it cannot be created.
# tofu: no: it has no ephemeral resources
# differs: terraform 1.15.5: it closes the ephemeral resource
# show: sorted calls

# step: apply
ephemeral "corpus_token" "used" {
  role = "used"
}

ephemeral "corpus_token" "other" {
  role = "other"
}

resource "corpus_thing" "a" {
  name = "a"
  fail = "create"
}

resource "corpus_secret" "a" {
  name  = "a${corpus_thing.a.id}"
  token = ephemeral.corpus_token.used.value
}

resource "corpus_secret" "b" {
  name  = "b"
  token = ephemeral.corpus_token.other.value
}
