# A state of an old schema version is upgraded.

# step: plan
# state: corpus_label.a 0 {"name": "a", "title": "hello", "id": "a-1"}
resource "corpus_label" "a" {
  name = "a"
  text = "hello"
}
# step: apply
resource "corpus_label" "a" {
  name = "a"
  text = "changed"
}
