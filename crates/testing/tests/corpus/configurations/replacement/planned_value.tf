# A value that the provider plans is known to other objects in the plan.

# step: apply
resource "corpus_quota" "a" {
  name  = "a"
  limit = 3
}

resource "corpus_thing" "b" {
  name = "b"
  text = corpus_quota.a.summary
}
