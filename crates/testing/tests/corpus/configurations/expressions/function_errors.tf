# Errors of functions.

# step: plan
output "a" {
  value = tonumber("x")
}
# step: plan
output "b" {
  value = element([], 0)
}
# step: plan
output "c" {
  value = undefined_function("a")
}
# step: plan
output "d" {
  value = upper("a", "b")
}
