# An ephemeral variable can only be used for ephemeral values.
# tofu: no: it has no ephemeral values

# step: apply
# variable: token = "t"
variable "token" {
  type      = string
  ephemeral = true
}

resource "corpus_secret" "a" {
  name          = "a"
  token         = var.token
  token_version = 1
}
# step: plan
variable "token" {
  type      = string
  ephemeral = true
}

resource "corpus_thing" "a" {
  name = "a"
  text = var.token
}
