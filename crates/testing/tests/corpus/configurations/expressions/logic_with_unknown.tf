# Logical operators with unknown operands.
# differs: terraform 1.15.5: logical operators are known if one operand decides, since 1.12

# step: apply
resource "corpus_thing" "a" {
  name = "a"
}

output "or" {
  value = true || corpus_thing.a.size > 5
}

output "and" {
  value = false && corpus_thing.a.size > 5
}

output "undecided" {
  value = true && corpus_thing.a.size > 5
}
