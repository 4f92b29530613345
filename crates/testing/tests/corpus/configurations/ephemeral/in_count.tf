# A count cannot be ephemeral.
# tofu: no: it has no ephemeral values

# step: plan
# variable: n = 1
variable "n" {
  type      = number
  ephemeral = true
}

resource "corpus_thing" "a" {
  count = var.n
  name  = "a"
}
