# An update that fails for one of two instances.

# step: apply
# variable: fail = null
variable "fail" {}

resource "corpus_thing" "a" {
  for_each = { good = null, bad = var.fail }
  name     = each.key
  fail     = each.value
  text     = var.fail
}
# step: apply
# variable: fail = "update"
# step: plan
