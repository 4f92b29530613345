# Functions that only the console or later versions have.
# differs: terraform 1.15.5: the function convert exists

# step: validate
output "type" {
  value = type(1)
}
# step: validate
output "convert" {
  value = convert(1, string)
}
