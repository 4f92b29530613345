# A value that does not convert is an error.

# step: plan
# variable: number = "five"
variable "number" { type = number }
# step: plan
# variable: list = {"a": 1}
variable "number" {}
variable "list" { type = list(string) }
