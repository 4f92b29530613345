# A condition that cannot be evaluated is an error: in the plan, or during the apply if its value is unknown in the plan.

# step: apply
resource "corpus_thing" "a" {
  name = "a"
}

check "error" {
  assert {
    condition     = tonumber(corpus_thing.a.id) == 1
    error_message = "No number."
  }
}
# step: plan
# step: plan -refresh-only
