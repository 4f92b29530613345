# The current configuration decides about the order, and not the state.
# show: calls

# step: apply
resource "corpus_thing" "a" {
  name = "a"
  zone = "x"
}
# step: apply
resource "corpus_thing" "a" {
  name = "a"
  zone = "y"

  lifecycle {
    create_before_destroy = true
  }
}
# step: apply
resource "corpus_thing" "a" {
  name = "a"
  zone = "z"
}
