# The functions sensitive, nonsensitive and issensitive.
# tofu: no: it has no function issensitive

# step: apply
locals {
  secret = sensitive("s3cret")
}

resource "corpus_thing" "a" {
  name = "a"
  text = local.secret
}

output "open" {
  value = nonsensitive(local.secret)
}

output "checks" {
  value = [issensitive(local.secret), issensitive("x"), issensitive(corpus_thing.a.text)]
}
