# The conditions of an ephemeral resource.
# tofu: no: it has no ephemeral resources

# step: plan
ephemeral "corpus_token" "t" {
  role = "r"

  lifecycle {
    postcondition {
      condition     = self.service == "other"
      error_message = "Another service."
    }
  }
}
