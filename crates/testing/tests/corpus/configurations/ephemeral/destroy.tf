# An ephemeral resource is opened in the plan of a destroy.
# tofu: no: it has no ephemeral resources
# show: calls

# step: apply
ephemeral "corpus_token" "t" {
  role = "r"
}

resource "corpus_secret" "a" {
  name          = "a"
  token         = ephemeral.corpus_token.t.value
  token_version = 1
}
# step: apply -destroy
