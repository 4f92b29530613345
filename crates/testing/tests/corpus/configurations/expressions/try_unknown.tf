# The functions try, can and coalesce with unknown values.

# step: apply
resource "corpus_thing" "a" {
  name = "a"
}

resource "corpus_values" "v" {
  name = "v"
  any  = { x = 1 }
}

output "try" {
  value = try(corpus_thing.a.id, "x")
}

output "can" {
  value = can(corpus_thing.a.id)
}

output "try_dynamic" {
  value = try(corpus_values.v.copy.x, "none")
}

output "coalesce" {
  value = coalesce(corpus_thing.a.id, "x")
}

output "coalesce_known" {
  value = coalesce("x", corpus_thing.a.id)
}
