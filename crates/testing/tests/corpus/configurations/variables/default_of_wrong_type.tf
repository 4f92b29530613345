# The default must conform to the type.

# step: validate
variable "a" {
  type    = number
  default = "x"
}
