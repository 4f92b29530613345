# An object that was deleted outside of Terraform is created again, and its dependents are updated.

# step: apply
resource "corpus_thing" "a" {
  name = "a"
}

resource "corpus_thing" "b" {
  name = "b"
  text = corpus_thing.a.id
}
# step: apply
# delete: main a-1
