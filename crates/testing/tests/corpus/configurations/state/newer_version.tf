# A state of a newer schema version is an error.

# step: plan
# state: corpus_label.a 2 {"name": "a", "text": "hello", "id": "a-1"}
resource "corpus_label" "a" {
  name = "a"
}
