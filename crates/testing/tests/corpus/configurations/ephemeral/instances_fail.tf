# One of several instances that cannot be opened.
# tofu: no: it has no ephemeral resources

# step: plan
ephemeral "corpus_token" "t" {
  count = 3
  role  = "t${count.index}"
  fail  = count.index == 1 ? "open" : null
}

resource "corpus_secret" "b" {
  name  = "b"
  token = ephemeral.corpus_token.t[2].value
}
