# A removed object depends on one that is replaced with create_before_destroy.
# show: calls

# step: apply
resource "corpus_thing" "base" {
  name = "base"
  zone = "a"

  lifecycle {
    create_before_destroy = true
  }
}

resource "corpus_thing" "top" {
  name = "top"
  text = corpus_thing.base.id
}
# step: apply
resource "corpus_thing" "base" {
  name = "base"
  zone = "b"

  lifecycle {
    create_before_destroy = true
  }
}
