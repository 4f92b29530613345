# Instances that cannot be opened: each is an error.
# tofu: no: it has no ephemeral resources
# differs: terraform 1.15.5: it reports only the first error
# show: sorted calls

# step: plan
ephemeral "corpus_token" "t" {
  count = 3
  role  = "t${count.index}"
  fail  = count.index < 2 ? "open" : null
}

resource "corpus_secret" "b" {
  name  = "b"
  token = ephemeral.corpus_token.t[2].value
}
