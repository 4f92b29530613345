# Instances in a module that cannot be closed.
# tofu: no: it has no ephemeral resources
# differs: terraform 1.15.5: it reports only the first error
# show: calls

# step: plan
module "m" {
  source = "./m"
}
# file: m/main.tf
ephemeral "corpus_token" "t" {
  count = 2
  role  = "stuck"
}

resource "corpus_secret" "a" {
  name  = "a"
  token = ephemeral.corpus_token.t[0].value
}
