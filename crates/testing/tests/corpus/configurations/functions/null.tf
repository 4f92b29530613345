# Null for a parameter that does not allow it is an error.
# tofu: no: it has no provider-defined functions

# step: plan
output "join" {
  value = provider::corpus::join(null, "a")
}
