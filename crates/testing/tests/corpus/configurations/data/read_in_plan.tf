# A data source with known arguments is read in the plan.
# show: calls

# step: apply
data "corpus_echo" "e" {
  value = "x"
}

resource "corpus_thing" "a" {
  name = "a"
  text = data.corpus_echo.e.result
}
