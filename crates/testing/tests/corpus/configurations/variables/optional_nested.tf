# Defaults apply inside of nested objects, lists and maps.

# step: apply
# variable: nodes = {"a": {}, "b": {"ports": [{}, {"port": 1}]}}
variable "nodes" {
  type = map(object({
    ports = optional(list(object({
      port     = optional(number, 80)
      protocol = optional(string, "tcp")
    })), [{ port = 22 }])
    labels = optional(object({ a = optional(string, "x") }), {})
  }))
}

output "nodes" {
  value = var.nodes
}
