# Elements without a common type are an error for list(any).

# step: plan
# variable: list = [1, {"a": 1}]
variable "list" { type = list(any) }
