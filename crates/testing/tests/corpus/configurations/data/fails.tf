# A data source that fails in the plan, and during apply.

# step: plan
data "corpus_thing" "a" {
  id = "missing"
}
# step: apply
resource "corpus_thing" "a" {
  name = "a"
}

data "corpus_thing" "a" {
  id = "${corpus_thing.a.id}-missing"
}

resource "corpus_thing" "b" {
  name = "b"
  text = data.corpus_thing.a.text
}
