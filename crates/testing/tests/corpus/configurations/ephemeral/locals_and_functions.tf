# Ephemeral values pass through locals and functions; ephemeralasnull makes them storable.
# tofu: no: it has no ephemeral resources

# step: apply
ephemeral "corpus_token" "t" {
  role = "r"
}

locals {
  upper = upper(ephemeral.corpus_token.t.value)
  parts = { token = local.upper, other = "x" }
}

resource "corpus_secret" "a" {
  name          = "a"
  token         = local.parts.token
  token_version = length(local.parts.other)
}

output "nothing" {
  value = ephemeralasnull(ephemeral.corpus_token.t.service)
}
