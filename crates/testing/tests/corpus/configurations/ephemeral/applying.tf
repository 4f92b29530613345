# A plan differs from an apply in terraform.applying, which is ephemeral.
# terraform: 1.11: write-only attributes
# tofu: no: it has no ephemeral values

# step: validate
output "applying" {
  value = terraform.applying
}
# step: apply
resource "corpus_secret" "a" {
  name          = "a"
  token         = terraform.applying ? "applying" : "plan"
  token_version = 1
}
