# Values of every type convert to the types of the variables.

# step: apply
# variable: number = "5"
# variable: flag = "true"
# variable: text = 12
# variable: list = [1, "b", true]
# variable: set = ["b", "a", "b"]
# variable: map = {"a": 1, "b": "x"}
# variable: tuple = ["1", 2]
# variable: any = {"a": [1, "x"]}
variable "number" { type = number }
variable "flag" { type = bool }
variable "text" { type = string }
variable "list" { type = list(string) }
variable "set" { type = set(string) }
variable "map" { type = map(string) }
variable "tuple" { type = tuple([number, string]) }
variable "any" { type = any }

output "all" {
  value = [var.number, var.flag, var.text, var.list, var.set, var.map, var.tuple, var.any]
}
