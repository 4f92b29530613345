# A moved object that is replaced.
# show: calls

# step: apply
resource "corpus_thing" "old" {
  name = "a"
  zone = "x"
}
# step: apply
moved {
  from = corpus_thing.old
  to   = corpus_thing.new
}

resource "corpus_thing" "new" {
  name = "a"
  zone = "y"

  lifecycle {
    create_before_destroy = true
  }
}
