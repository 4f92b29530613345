# An ignored attribute whose new value is sensitive.

# step: apply
resource "corpus_thing" "a" {
  name = "a"
  text = "first"

  lifecycle {
    ignore_changes = [text]
  }
}
# step: apply
resource "corpus_thing" "a" {
  name = "a"
  text = sensitive("second")

  lifecycle {
    ignore_changes = [text]
  }
}
