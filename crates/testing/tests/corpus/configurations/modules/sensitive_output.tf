# A sensitive output of a child module does not mark the value in Terraform 1.11.4.
# differs: tofu 1.6.2: the sensitive output of a module marks the value; Terraform 1.11.4 does not do this
# differs: terraform 1.15.5: the sensitive output of a module marks the value; Terraform 1.11.4 does not do this

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
