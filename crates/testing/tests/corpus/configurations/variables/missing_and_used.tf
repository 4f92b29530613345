# Required variables without values, which expressions use and index.

# step: plan
variable "map" {}

variable "list" {
  type = list(string)
}

variable "count_of" {
  type = number
}

resource "corpus_thing" "a" {
  count = var.count_of
  name  = var.map["a"]
  text  = var.list[0]
}

output "a" {
  value = corpus_thing.a[0].name
}
