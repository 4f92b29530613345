# A resource without import.

# step: plan
import {
  to = corpus_quota.a
  id = "a-1"
}

resource "corpus_quota" "a" {
  name  = "a"
  limit = 1
}
