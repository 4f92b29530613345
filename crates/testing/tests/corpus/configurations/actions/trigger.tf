# An action is invoked after a resource is created, and before it is updated.
# terraform: 1.14: actions
# tofu: no: it has no actions
# show: calls

# step: apply
# variable: text = "a"
variable "text" {}

action "corpus_notify" "created" {
  config {
    to   = "created"
    text = corpus_thing.a.id
  }
}

action "corpus_notify" "changed" {
  config {
    to = "changed"
  }
}

resource "corpus_thing" "a" {
  name = "a"
  text = var.text

  lifecycle {
    action_trigger {
      events  = [after_create]
      actions = [action.corpus_notify.created]
    }

    action_trigger {
      events  = [before_update, after_update]
      actions = [action.corpus_notify.changed]
    }
  }
}
# step: apply
# variable: text = "b"
# step: apply
