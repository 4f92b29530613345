# The type any: elements of a list get a common type.

# step: apply
# variable: list = [1, "a", true]
# variable: map = {"a": 1, "b": "x"}
variable "list" { type = list(any) }
variable "map" { type = map(any) }

output "list" { value = var.list }
output "map" { value = var.map }
