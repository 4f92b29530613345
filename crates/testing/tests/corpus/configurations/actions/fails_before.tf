# An action that fails before a create prevents it.
# terraform: 1.14: actions
# tofu: no: it has no actions
# show: calls

# step: apply
action "corpus_notify" "n" {
  config {
    to = "broken"
  }
}

resource "corpus_thing" "a" {
  name = "a"

  lifecycle {
    action_trigger {
      events  = [before_create]
      actions = [action.corpus_notify.n]
    }
  }
}
