# An object without a required attribute is an error.

# step: plan
# variable: disk = {"size": 1}
variable "disk" {
  type = object({ name = string, size = number })
}
