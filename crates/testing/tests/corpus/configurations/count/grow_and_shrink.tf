# More instances are created, fewer are destroyed.

# step: apply
# variable: n = 1
variable "n" {
  type = number
}

resource "corpus_thing" "a" {
  count = var.n
  name  = "a${count.index}"
}

output "ids" {
  value = corpus_thing.a[*].id
}
# step: apply
# variable: n = 3
# step: apply
# variable: n = 2
