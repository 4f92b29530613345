# An ephemeral value cannot be passed to a variable that is not ephemeral.
# tofu: no: it has no ephemeral resources

# step: plan
ephemeral "corpus_token" "t" {
  role = "r"
}

module "m" {
  source = "./m"
  value  = ephemeral.corpus_token.t.value
}
# file: m/main.tf
variable "value" {}
