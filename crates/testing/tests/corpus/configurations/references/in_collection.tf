# A list with an unknown element has a known length.

# step: apply
resource "corpus_thing" "a" {
  name = "a"
}

locals {
  all = [corpus_thing.a.id, "x"]
}

output "length" {
  value = length(local.all)
}

output "second" {
  value = local.all[1]
}

output "joined" {
  value = join("-", local.all)
}
