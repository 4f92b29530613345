# A destroy of everything is in the order of the dependencies.
# show: calls

# step: apply
resource "corpus_thing" "base" {
  name = "base"

  lifecycle {
    create_before_destroy = true
  }
}

resource "corpus_thing" "top" {
  name = "top"
  text = corpus_thing.base.id
}
# step: apply -destroy
