# Optional attributes of an object have their default, or are null.

# step: apply
# variable: disk = {"name": "a"}
variable "disk" {
  type = object({
    name = string
    size = optional(number, 10)
    tags = optional(map(string), { kind = "none" })
    note = optional(string)
  })
}

output "disk" {
  value = var.disk
}
# step: apply
# variable: disk = {"name": "a", "size": null, "tags": {}, "note": "n", "other": true}
