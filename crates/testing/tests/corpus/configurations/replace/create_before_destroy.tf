# The option -replace respects create_before_destroy.
# show: calls

# step: apply
resource "corpus_thing" "a" {
  name = "a"

  lifecycle {
    create_before_destroy = true
  }
}
# step: apply -replace=corpus_thing.a
