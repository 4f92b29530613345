# Data sources are read before a destroy, and their failure prevents it.

# step: apply
data "corpus_echo" "e" {
  value = "x"
}

resource "corpus_thing" "a" {
  name = "a"
  text = data.corpus_echo.e.result
}
# step: apply -destroy
