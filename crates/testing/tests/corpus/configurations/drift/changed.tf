# A value changed outside of Terraform is changed back.

# step: apply
resource "corpus_thing" "a" {
  name = "a"
  text = "configured"
  tags = { a = "1" }
}
# step: apply
# change: main a-1 text "changed"
# change: main a-1 tags {"a": "2", "b": "3"}
