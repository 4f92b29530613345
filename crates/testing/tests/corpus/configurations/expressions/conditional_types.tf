# Conditionals with results of different types.

# step: apply
variable "flag" {
  default = true
}

output "number_or_string" {
  value = var.flag ? 1 : "x"
}

output "null" {
  value = var.flag ? null : "x"
}

output "lists" {
  value = var.flag ? [1] : tolist(["a", "b"])
}
# step: plan
variable "flag" {
  default = true
}

output "inconsistent" {
  value = var.flag ? [1] : "x"
}
