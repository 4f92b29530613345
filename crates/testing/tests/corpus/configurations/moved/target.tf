# If a moved object is not targeted at both addresses, the plan fails.

# step: apply
resource "corpus_thing" "old" {
  name = "a"
}

resource "corpus_thing" "other" {
  name = "other"
}
# step: plan -target=corpus_thing.other
moved {
  from = corpus_thing.old
  to   = corpus_thing.new
}

resource "corpus_thing" "new" {
  name = "a"
}

resource "corpus_thing" "other" {
  name = "other"
  text = "changed"
}
# step: plan -target=corpus_thing.new
