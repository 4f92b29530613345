# Conditions of instances are checked separately.

# step: plan
resource "corpus_thing" "a" {
  for_each = toset(["x", "y", "zz"])
  name     = each.key

  lifecycle {
    precondition {
      condition     = length(each.key) == 1
      error_message = "The key ${each.key} is too long."
    }
  }
}
