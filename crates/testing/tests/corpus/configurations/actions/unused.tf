# An action without a trigger is validated, and not invoked.
# terraform: 1.14: actions
# tofu: no: it has no actions
# show: calls

# step: apply
action "corpus_notify" "n" {
  config {
    to = "x"
  }
}
# step: validate
action "corpus_notify" "n" {
  config {
    text = "no recipient"
  }
}
