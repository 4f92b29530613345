# Actions with count and for_each, and several actions in their order.
# terraform: 1.14: actions
# tofu: no: it has no actions
# show: calls

# step: apply
action "corpus_notify" "c" {
  count = 2
  config {
    to = "c${count.index}"
  }
}

action "corpus_notify" "f" {
  for_each = toset(["x", "y"])
  config {
    to = each.key
  }
}

resource "corpus_thing" "a" {
  name = "a"

  lifecycle {
    action_trigger {
      events  = [after_create]
      actions = [action.corpus_notify.f["y"], action.corpus_notify.c[0], action.corpus_notify.c[1]]
    }
  }
}
