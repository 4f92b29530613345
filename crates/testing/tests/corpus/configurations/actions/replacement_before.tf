# The actions before the replacement of an object precede its deletion.
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
}

resource "corpus_thing" "b" {
  name = "b"
  zone = "${var.zone}${corpus_thing.a.id}"

  lifecycle {
    action_trigger {
      events  = [before_create]
      actions = [action.corpus_notify.n]
    }
  }
}
# step: apply
# variable: zone = "y"
