# An action of a module.
# terraform: 1.14: actions
# tofu: no: it has no actions
# show: calls

# step: apply
module "m" {
  source = "./m"
  to     = "x"
}
# file: m/main.tf
variable "to" {}

action "corpus_notify" "n" {
  config {
    to = var.to
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
