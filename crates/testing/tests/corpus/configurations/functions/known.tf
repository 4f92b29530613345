# Functions of the provider with known arguments.
# tofu: no: it has no provider-defined functions

# step: apply
output "join" {
  value = provider::corpus::join("-", "a", null, "b")
}

output "empty" {
  value = provider::corpus::join("-")
}

output "describe" {
  value = [for it in ["a", 1, [true], { a = 1 }, tolist(["a"]), null] : provider::corpus::describe(it)]
}

output "greet" {
  value = [provider::corpus::greet(null), provider::corpus::greet("you")]
}
