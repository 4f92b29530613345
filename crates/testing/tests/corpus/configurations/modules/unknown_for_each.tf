# A module with an unknown for_each is an error.

# step: plan
resource "corpus_thing" "a" {
  name = "a"
}

module "m" {
  source   = "./m"
  for_each = toset([corpus_thing.a.id])
}
# file: m/main.tf
output "name" {
  value = "x"
}
