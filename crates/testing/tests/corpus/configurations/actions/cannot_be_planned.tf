# The plan of an action can fail.
# terraform: 1.14: actions
# tofu: no: it has no actions

# step: plan
action "corpus_notify" "n" {
  config {
    to = "absent"
  }
}

resource "corpus_thing" "a" {
  name = "a"

  lifecycle {
    action_trigger {
      events  = [after_create]
      actions = [action.corpus_notify.n]
    }
  }
}
