# Each instance of a resource triggers an action with its own key.
# terraform: 1.14: actions
# tofu: no: it has no actions
# show: sorted calls

# step: apply
action "corpus_notify" "n" {
  for_each = toset(["x", "y"])
  config {
    to = each.key
  }
}

resource "corpus_thing" "a" {
  for_each = toset(["x", "y"])
  name     = each.key

  lifecycle {
    action_trigger {
      events  = [after_create]
      actions = [action.corpus_notify.n[each.key]]
    }
  }
}
