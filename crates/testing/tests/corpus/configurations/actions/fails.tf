# A failed action fails the apply, and the object remains.
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
      events  = [after_create]
      actions = [action.corpus_notify.n]
    }
  }
}

resource "corpus_thing" "b" {
  name = "b"
  text = corpus_thing.a.id
}
