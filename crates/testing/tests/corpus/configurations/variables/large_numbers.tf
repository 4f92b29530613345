# Numbers keep their precision.

# step: apply
# variable: n = 12345678901234567890
variable "n" {
  type = number
}

output "n" {
  value = tostring(var.n)
}

output "product" {
  value = tostring(var.n * 10 + 1)
}

output "fraction" {
  value = tostring(1 / 3)
}
