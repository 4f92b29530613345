# A state with an attribute that the schema does not have.

# step: plan
# state: corpus_label.a 1 {"name": "a", "text": "hello", "id": "a-1", "gone": true}
resource "corpus_label" "a" {
  name = "a"
  text = "hello"
}
