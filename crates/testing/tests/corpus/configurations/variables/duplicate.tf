# Two variables cannot have the same name.

# step: validate
variable "a" {}
variable "a" {}
