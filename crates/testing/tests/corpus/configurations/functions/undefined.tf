# A function that the provider does not have, and a provider that is not required.
# tofu: no: it has no provider-defined functions

# step: validate
output "a" {
  value = provider::corpus::other("a")
}
# step: validate
output "a" {
  value = provider::other::join("a")
}
