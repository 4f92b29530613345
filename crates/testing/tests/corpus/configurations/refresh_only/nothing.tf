# A refresh-only plan without drift.

# step: apply
resource "corpus_thing" "a" {
  name = "a"
}
# step: plan -refresh-only
# step: apply -refresh-only
# step: plan -refresh-only
