# An output of the root module cannot be ephemeral, and its value cannot either.
# tofu: no: it has no ephemeral resources

# step: plan
ephemeral "corpus_token" "t" {
  role = "r"
}

output "service" {
  value = ephemeral.corpus_token.t.service
}
# step: plan
ephemeral "corpus_token" "t" {
  role = "r"
}

output "service" {
  value     = ephemeral.corpus_token.t.service
  ephemeral = true
}
