# A value for a variable that is not declared is a warning.

# step: plan
# variable: other = 1
output "a" {
  value = 1
}
