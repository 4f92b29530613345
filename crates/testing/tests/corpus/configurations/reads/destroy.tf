# The plan of a destroy reads the data sources whose arguments are known, unless it does not refresh.
# show: reads

# step: apply
resource "corpus_thing" "a" {
  name = "a"
}

data "corpus_thing" "a" {
  id = corpus_thing.a.id
}

data "corpus_echo" "each" {
  for_each = toset(["x", "y"])
  value    = "${each.value} ${corpus_thing.a.id}"
}

data "corpus_echo" "after" {
  value      = "after"
  depends_on = [corpus_thing.a]
}

check "c" {
  data "corpus_echo" "inner" {
    value = "inner"
  }
  assert {
    condition     = data.corpus_echo.inner.result == "inner"
    error_message = "Another result."
  }
}

resource "corpus_thing" "b" {
  name = data.corpus_thing.a.name
}
# step: plan -destroy
# step: plan -destroy -refresh=false
# step: plan -destroy -target=data.corpus_thing.a
# step: plan -destroy -target=corpus_thing.b
# step: apply -destroy
