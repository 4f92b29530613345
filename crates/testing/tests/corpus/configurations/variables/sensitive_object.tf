# A sensitive object: each of its attributes is sensitive.

# step: apply
# variable: settings = {"name": "n", "ports": [1, 2]}
variable "settings" {
  type      = object({ name = string, ports = list(number) })
  sensitive = true
}

resource "corpus_values" "a" {
  name    = "a"
  text    = var.settings.name
  numbers = var.settings.ports
}

resource "corpus_nested" "b" {
  name  = "b"
  disks = [{ size = var.settings.ports[0] }]
}
