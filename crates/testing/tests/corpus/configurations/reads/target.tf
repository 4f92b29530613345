# A plan with -target=corpus_thing.a[0] refreshes the instances that it selects.
# show: reads

# step: apply
resource "corpus_thing" "a" {
  count = 2
  name  = "a${count.index}"
}

resource "corpus_thing" "b" {
  name = "b"
  text = corpus_thing.a[0].id
}

resource "corpus_thing" "c" {
  name = "c"
}

data "corpus_echo" "e" {
  count = 2
  value = "e${count.index}"
}
# step: plan -target=corpus_thing.a[0]
# step: plan -target=corpus_thing.a
# step: plan -target=corpus_thing.b
# step: plan -target=data.corpus_echo.e[1]
# step: apply -target=corpus_thing.a[1]
# step: plan -destroy -target=corpus_thing.a[0]
# step: plan -refresh-only -target=corpus_thing.a[1]
