# An ephemeral output of a module, and a variable that is ephemeral.
# tofu: no: it has no ephemeral resources
# show: calls

# step: apply
module "token" {
  source = "./token"
  role   = "r"
}

module "secret" {
  source = "./secret"
  token  = module.token.value
}
# file: token/main.tf
variable "role" {}

ephemeral "corpus_token" "t" {
  role = var.role
}

output "value" {
  value     = ephemeral.corpus_token.t.value
  ephemeral = true
}
# file: secret/main.tf
variable "token" {
  type      = string
  ephemeral = true
}

resource "corpus_secret" "a" {
  name          = "a"
  token         = var.token
  token_version = 1
}
