# All errors of a configuration are reported.

# step: validate
resource "corpus_thing" "a" {
  other = 1
}

resource "corpus_thing" "b" {
  name = var.missing
}

output "c" {
  value = local.missing
}
