# A data source finds an object that another resource has created.

# step: apply
resource "corpus_thing" "a" {
  name = "a"
  text = "hello"
}

data "corpus_thing" "a" {
  id = corpus_thing.a.id
}

output "text" {
  value = data.corpus_thing.a.text
}
# step: apply
resource "corpus_thing" "a" {
  name = "a"
  text = "changed"
}

data "corpus_thing" "a" {
  id = corpus_thing.a.id
}

output "text" {
  value = data.corpus_thing.a.text
}
