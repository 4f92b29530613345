# The sensitive output of a module makes what contains it sensitive.

# step: apply
module "m" {
  source = "./m"
}

resource "corpus_thing" "a" {
  name = "a"
  text = module.m.secret
  tags = { open = module.m.open }
}
# file: m/main.tf
output "secret" {
  value     = "s3cret"
  sensitive = true
}

output "open" {
  value = "open"
}
