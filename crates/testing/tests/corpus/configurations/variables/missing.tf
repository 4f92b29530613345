# A required variable without a value is an error.

# step: plan
variable "a" {
  type = string
}
