# The error of a function points at its argument.
# tofu: no: it has no provider-defined functions

# step: plan
output "fail" {
  value = provider::corpus::fail("it is wrong")
}

output "caught" {
  value = try(provider::corpus::fail("it is wrong"), "caught")
}
