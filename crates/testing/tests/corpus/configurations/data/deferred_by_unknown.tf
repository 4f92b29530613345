# A data source with an unknown argument is read during apply.
# show: calls

# step: apply
resource "corpus_thing" "a" {
  name = "a"
}

data "corpus_echo" "e" {
  value = corpus_thing.a.id
}

resource "corpus_thing" "b" {
  name = "b"
  text = data.corpus_echo.e.result
}
# step: plan
