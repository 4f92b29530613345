# Several actions of one event, of several triggers, are invoked in their order; an action before an update can refer to the object.
# terraform: 1.14: actions
# tofu: no: it has no actions
# show: calls

# step: apply
# variable: text = "a"
variable "text" {}

action "corpus_notify" "first" {
  config {
    to = "first"
  }
}

action "corpus_notify" "second" {
  config {
    to   = "second"
    text = corpus_thing.a.text
  }
}

resource "corpus_thing" "a" {
  name = "a"
  text = var.text

  lifecycle {
    action_trigger {
      events  = [after_create, after_update]
      actions = [action.corpus_notify.second, action.corpus_notify.first]
    }

    action_trigger {
      events  = [after_update]
      actions = [action.corpus_notify.first]
    }
  }
}
# step: apply
# variable: text = "b"
