# The types of outputs.

# step: apply
output "string" { value = "x" }
output "number" { value = 1.5 }
output "bool" { value = false }
output "tuple" { value = ["a", 1] }
output "object" { value = { a = 1, b = [true] } }
output "list" { value = tolist(["a"]) }
output "set" { value = toset([2, 1]) }
output "map" { value = tomap({ a = 1 }) }
output "empty" { value = [] }
