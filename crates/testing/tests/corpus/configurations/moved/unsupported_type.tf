# A provider that does not support the move reports an error.
# tofu: no: it moves objects between resource types since 1.10

# step: apply
resource "corpus_values" "a" {
  name = "a"
}
# step: plan
moved {
  from = corpus_values.a
  to   = corpus_label.a
}

resource "corpus_label" "a" {
  name = "a"
}
