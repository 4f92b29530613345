# Two elements with the same key are an error.

# step: plan
output "by_group" {
  value = { for i, group in ["x", "x"] : group => i }
}
