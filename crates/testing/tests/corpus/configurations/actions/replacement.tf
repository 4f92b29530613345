# A replacement triggers the actions of a create.
# terraform: 1.14: actions
# tofu: no: it has no actions
# show: calls

# step: apply
# variable: zone = "x"
variable "zone" {}

action "corpus_notify" "n" {
  config {
    to = "x"
  }
}

resource "corpus_thing" "a" {
  name = "a"
  zone = var.zone

  lifecycle {
    action_trigger {
      events  = [before_create, after_create, after_update]
      actions = [action.corpus_notify.n]
    }
  }
}
# step: apply
# variable: zone = "y"
