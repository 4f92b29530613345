# An instance in a module that cannot be closed.
# tofu: no: it has no ephemeral resources
# show: calls

# step: plan
module "m" {
  source = "./m"
}
# file: m/main.tf
ephemeral "corpus_token" "t" {
  count = 1
  role  = "stuck"
}

resource "corpus_secret" "a" {
  name  = "a"
  token = ephemeral.corpus_token.t[0].value
}
