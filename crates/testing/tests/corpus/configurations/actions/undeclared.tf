# A trigger of an action that does not exist is an error.
# terraform: 1.14: actions
# tofu: no: it has no actions

# step: validate
resource "corpus_thing" "a" {
  name = "a"

  lifecycle {
    action_trigger {
      events  = [after_create]
      actions = [action.corpus_notify.n]
    }
  }
}
