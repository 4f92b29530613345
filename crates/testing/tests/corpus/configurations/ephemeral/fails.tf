# An ephemeral resource that cannot be opened.
# tofu: no: it has no ephemeral resources

# step: plan
ephemeral "corpus_token" "t" {
  role = "r"
  fail = "open"
}

resource "corpus_secret" "b" {
  name  = "b"
  token = ephemeral.corpus_token.t.value
}
