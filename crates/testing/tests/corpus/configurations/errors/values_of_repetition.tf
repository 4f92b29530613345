# In a validation, a sensitive or ephemeral count or for_each is an error, even if its value is unknown.
# tofu: no: it has no ephemeral resources

# step: validate
variable "s" {
  type      = map(string)
  sensitive = true
}

ephemeral "corpus_token" "t" {
  role = "r"
}

resource "corpus_thing" "a" {
  for_each = var.s
  name     = each.key
}

resource "corpus_thing" "b" {
  count = ephemeral.corpus_token.t.value == "x" ? 1 : 0
  name  = "b"
}

module "m" {
  source   = "./m"
  for_each = var.s
}
# file: m/main.tf
output "o" {
  value = 1
}
# step: validate
resource "corpus_thing" "a" {
  count = -1
  name  = each.key
}
