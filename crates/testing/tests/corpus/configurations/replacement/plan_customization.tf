# The provider requires replacement for a lower limit, and updates for a higher one.

# step: apply
# variable: limit = 10
variable "limit" {}

resource "corpus_quota" "a" {
  name  = "a"
  limit = var.limit
}
# step: apply
# variable: limit = 20
# step: apply
# variable: limit = 5
# step: plan
# variable: limit = -1
# step: apply
# variable: limit = 101
