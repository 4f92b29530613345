# The value of an ephemeral variable is needed during apply too.
# tofu: no: it has no ephemeral values

# step: apply
# variable: role = "r"
variable "role" {
  type      = string
  ephemeral = true
}

ephemeral "corpus_token" "t" {
  role = var.role
}

resource "corpus_secret" "a" {
  name          = "a"
  token         = ephemeral.corpus_token.t.value
  token_version = 1
}
