# A destroy triggers no actions.
# terraform: 1.14: actions
# tofu: no: it has no actions
# show: calls

# step: apply
action "corpus_notify" "n" {
  config {
    to = "x"
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
# step: apply -destroy
