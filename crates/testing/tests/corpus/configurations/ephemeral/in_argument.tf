# An ephemeral value cannot be an argument of a resource.
# tofu: no: it has no ephemeral resources

# step: plan
ephemeral "corpus_token" "t" {
  role = "r"
}

resource "corpus_thing" "a" {
  name = "a"
  text = ephemeral.corpus_token.t.service
}
