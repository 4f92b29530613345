# An event that does not exist, and a reference to something else.
# terraform: 1.14: actions
# tofu: no: it has no actions

# step: validate
action "corpus_notify" "n" {
  config {
    to = "x"
  }
}

resource "corpus_thing" "a" {
  name = "a"

  lifecycle {
    action_trigger {
      events  = [after_destroy]
      actions = [action.corpus_notify.n]
    }
  }
}
# step: validate
resource "corpus_thing" "a" {
  name = "a"

  lifecycle {
    action_trigger {
      events  = [after_create]
      actions = [corpus_thing.b]
    }
  }
}

resource "corpus_thing" "b" {
  name = "b"
}
