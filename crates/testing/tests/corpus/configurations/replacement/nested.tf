# An attribute of a nested object requires replacement: the path is in the plan.

# step: apply
# variable: format = "ext4"
variable "format" {}

resource "corpus_nested" "a" {
  name  = "a"
  disks = [{ size = 1 }, { size = 2, format = var.format }]
}
# step: apply
# variable: format = "xfs"
