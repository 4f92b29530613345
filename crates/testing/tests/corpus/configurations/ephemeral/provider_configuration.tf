# An ephemeral value configures a provider, in the plan and during apply.
# tofu: no: it has no ephemeral resources
# show: calls

# step: apply
ephemeral "corpus_token" "t" {
  role = "r"
}

provider "corpus" {
  alias   = "secure"
  service = "secure"
  token   = ephemeral.corpus_token.t.value
}

resource "corpus_thing" "a" {
  provider = corpus.secure
  name     = "a"
}
