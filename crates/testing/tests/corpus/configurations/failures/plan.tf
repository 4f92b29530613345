# A plan that fails, with another error in the same plan.

# step: plan
resource "corpus_thing" "a" {
  name = "a"
  fail = "plan"
}

resource "corpus_thing" "b" {
  name = "b"
  fail = "plan"
}
