# Ephemeral resources with count and for_each.
# tofu: no: it has no ephemeral resources
# show: sorted calls

# step: apply
ephemeral "corpus_token" "c" {
  count = 2
  role  = "c${count.index}"
}

ephemeral "corpus_token" "f" {
  for_each = toset(["x"])
  role     = each.key
}

resource "corpus_secret" "a" {
  name          = "a"
  token         = "${ephemeral.corpus_token.c[1].value} ${ephemeral.corpus_token.f["x"].value}"
  token_version = 1
}
