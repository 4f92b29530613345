# A changed element of a set of blocks.

# step: apply
# variable: note = "first"
variable "note" {}

resource "corpus_blocks" "a" {
  name = "a"

  rule {
    port = 1
    note = var.note
  }
  rule {
    port = 2
    note = "fixed"
  }
}

output "handles" {
  value = [for rule in corpus_blocks.a.rule : rule.handle]
}
# step: apply
# variable: note = "second"
