# An update in place keeps the values that do not change, so objects that refer to them do not change.

# step: apply
# variable: text = "first"
variable "text" {
  type = string
}

resource "corpus_thing" "a" {
  name = "a"
  text = var.text
}

resource "corpus_thing" "by_id" {
  name = "by_id"
  text = corpus_thing.a.id
}

resource "corpus_thing" "by_revision" {
  name = "by_revision"
  text = "revision ${corpus_thing.a.revision}"
}
# step: apply
# variable: text = "second"
