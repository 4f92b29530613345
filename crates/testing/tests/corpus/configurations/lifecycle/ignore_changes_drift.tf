# Drift of an ignored attribute is kept.

# step: apply
resource "corpus_thing" "a" {
  name = "a"
  text = "configured"

  lifecycle {
    ignore_changes = [text]
  }
}
# step: apply
# change: main a-1 text "changed"
