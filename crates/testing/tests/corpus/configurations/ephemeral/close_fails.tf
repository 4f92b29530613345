# An ephemeral resource that cannot be closed.
# tofu: no: it has no ephemeral resources
# show: calls

# step: apply
ephemeral "corpus_token" "t" {
  role = "stuck"
}

resource "corpus_secret" "a" {
  name          = "a"
  token         = ephemeral.corpus_token.t.value
  token_version = 1
}
