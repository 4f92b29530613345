# An ephemeral resource with an unknown argument is opened during apply only.
# tofu: no: it has no ephemeral resources
# show: calls

# step: apply
resource "corpus_thing" "a" {
  name = "a"
}

ephemeral "corpus_token" "t" {
  role = corpus_thing.a.id
}

resource "corpus_secret" "b" {
  name          = "b"
  token         = ephemeral.corpus_token.t.value
  token_version = 1
}
