# A refresh that fails.

# step: apply
resource "corpus_thing" "a" {
  name = "a"
  fail = "read"
}
# step: plan
# step: plan -refresh=false
