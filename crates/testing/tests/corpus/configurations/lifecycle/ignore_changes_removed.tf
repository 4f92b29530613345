# An ignored attribute that is removed from the configuration keeps its value.

# step: apply
resource "corpus_thing" "a" {
  name = "a"
  text = "first"
  tags = { x = "1" }

  lifecycle {
    ignore_changes = [text, tags]
  }
}
# step: apply
resource "corpus_thing" "a" {
  name = "a"

  lifecycle {
    ignore_changes = [text, tags]
  }
}
