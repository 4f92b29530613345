# A destroy of an object that was deleted outside of Terraform.
# show: calls

# step: apply
resource "corpus_thing" "a" {
  name = "a"
}

resource "corpus_thing" "b" {
  name = "b"
  text = corpus_thing.a.id
}
# step: apply -destroy
# delete: main a-1
