# The condition of a trigger decides whether the action is invoked.
# terraform: 1.14: actions
# tofu: no: it has no actions
# show: calls

# step: apply
# variable: notify = false
variable "notify" {}

action "corpus_notify" "n" {
  config {
    to = "x"
  }
}

resource "corpus_thing" "a" {
  name = "a"
  text = "notify: ${var.notify}"

  lifecycle {
    action_trigger {
      events    = [after_create, after_update]
      condition = var.notify
      actions   = [action.corpus_notify.n]
    }
  }
}
# step: apply
# variable: notify = true
