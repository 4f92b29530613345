# The plan of a destroy does not read a data source whose object no longer exists.
# show: reads

# step: apply
resource "corpus_thing" "a" {
  name = "a"
}

data "corpus_thing" "a" {
  id = corpus_thing.a.id
}

resource "corpus_thing" "b" {
  name = data.corpus_thing.a.name
}
# step: apply -destroy
# delete: main a-1
