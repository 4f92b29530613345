# Whether the right operand is evaluated if the left one decides.
# differs: terraform 1.15.5: logical operators do not evaluate the right operand if the left one decides, since 1.12

# step: plan
variable "nothing" {
  type    = object({ a = string })
  default = null
}

output "or" {
  value = var.nothing == null || var.nothing.a == "x"
}
