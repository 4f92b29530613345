# A sensitive attribute of an ephemeral resource is not sensitive in Terraform 1.11.
# tofu: no: it has no ephemeral resources

# step: apply
ephemeral "corpus_token" "t" {
  role = "r"
}

output "value" {
  value = ephemeralasnull(ephemeral.corpus_token.t.value)
}

output "is_sensitive" {
  value = ephemeralasnull(issensitive(ephemeral.corpus_token.t.value))
}
