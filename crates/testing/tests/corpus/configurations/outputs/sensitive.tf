# A sensitive output is masked, and its value is in the state.

# step: apply
output "a" {
  value     = "x"
  sensitive = true
}
# step: apply
output "a" {
  value = "x"
}
