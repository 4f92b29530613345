# The state contains the identity of an object, also after a replacement and a refresh.
# terraform: 1.12: resource identity
# tofu: no: it has no resource identity
# show: identity

# step: apply
# variable: zone = "x"
variable "zone" {}

resource "corpus_thing" "a" {
  name = "a"
  zone = var.zone
}
# step: apply
# variable: zone = "y"
# step: apply -refresh-only
