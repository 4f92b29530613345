# A dynamic block of a set, with an iterator.

# step: apply
# variable: ports = [80, 443]
variable "ports" {
  type = set(number)
}

resource "corpus_blocks" "a" {
  name = "a"

  rule {
    port = 22
    note = "fixed"
  }

  dynamic "rule" {
    for_each = var.ports
    iterator = port
    content {
      port = port.value
      note = "port ${port.key}"
    }
  }
}
# step: apply
# variable: ports = [443, 8080]
