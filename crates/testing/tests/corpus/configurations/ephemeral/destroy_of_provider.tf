# An ephemeral value configures a provider during a destroy.
# tofu: no: it has no ephemeral resources

# step: apply
ephemeral "corpus_token" "t" {
  role = "r"
}

ephemeral "corpus_token" "other" {
  role = "other"
}

provider "corpus" {
  alias   = "secure"
  service = "secure"
  token   = local.token
}

locals {
  token = ephemeral.corpus_token.t.value
}

resource "corpus_thing" "a" {
  provider = corpus.secure
  name     = "a"
}

module "m" {
  source = "./m"
  role   = ephemeral.corpus_token.other.role
}
# file: m/main.tf
variable "role" {
  ephemeral = true
}

resource "corpus_thing" "b" {
  name = "b"
}
# step: apply -destroy
