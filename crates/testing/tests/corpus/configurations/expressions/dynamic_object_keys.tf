# Object keys from expressions, and attributes with names of keywords.

# step: apply
locals {
  key    = "x"
  object = { (local.key) = 1, "${local.key}y" = 2, for = 3, null = 4 }
}

output "object" {
  value = local.object
}

output "entry" {
  value = local.object["xy"]
}
