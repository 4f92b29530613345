# Sensitive values under public keys are possible, and the attributes are sensitive.

# step: apply
variable "token" {
  default   = "s3cret"
  sensitive = true
}

resource "corpus_thing" "a" {
  for_each = { x = var.token }
  name     = each.key
  text     = each.value
}
