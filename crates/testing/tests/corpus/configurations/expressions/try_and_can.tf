# The functions try, can and coalesce with errors and null.

# step: apply
variable "settings" {
  type    = any
  default = { a = { b = 1 } }
}

output "try" {
  value = [try(var.settings.a.b, 0), try(var.settings.x.y, "default"), try(tonumber("x"), null, 5)]
}

output "can" {
  value = [can(var.settings.a.b), can(var.settings.x), can(regex("^[a-z]+$", "abc"))]
}

output "coalesce" {
  value = [coalesce(null, "", "x"), coalesce(null, 0)]
}
