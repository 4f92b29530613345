# Functions, conditionals, templates and for expressions keep marks.

# step: apply
variable "token" {
  default   = "s3cret"
  sensitive = true
}

locals {
  upper  = upper(var.token)
  choice = true ? var.token : "x"
  each   = [for it in [var.token, "y"] : "<${it}>"]
  object = { secret = var.token, open = "z" }
}

resource "corpus_thing" "a" {
  name   = "a"
  text   = local.choice
  items  = local.each
  tags   = local.object
  labels = [local.upper, "open"]
}

output "open" {
  value = local.object.open
}

output "length" {
  value = length(local.each)
}
