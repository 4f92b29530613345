# Data sources are read without a refresh too.
# show: sorted calls

# step: apply
data "corpus_echo" "e" {
  value = "x"
}

resource "corpus_thing" "a" {
  name = "a"
  text = data.corpus_echo.e.result
}
# step: plan -refresh=false
# change: main a-1 text "changed"
