# A change of a write-only value alone is no change, with a new version it is an update.
# tofu: no: it has no write-only attributes

# step: apply
# variable: token = "a"
# variable: v = 1
variable "token" {}
variable "v" {}

resource "corpus_secret" "a" {
  name          = "a"
  token         = var.token
  token_version = var.v
}
# step: apply
# variable: token = "longer"
# step: apply
# variable: v = 2
