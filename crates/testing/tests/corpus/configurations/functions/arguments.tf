# Missing, superfluous and wrong arguments.
# tofu: no: it has no provider-defined functions

# step: validate
output "few" {
  value = provider::corpus::greet()
}
# step: validate
output "many" {
  value = provider::corpus::greet("a", "b")
}
# step: validate
output "wrong" {
  value = provider::corpus::greet(["a"])
}
# step: plan
output "converted" {
  value = provider::corpus::greet(12)
}
