# All instances of a resource trigger the replacement of each instance of another.

# step: apply
# variable: texts = {"x": "1", "y": "1"}
variable "texts" {}

resource "corpus_thing" "a" {
  for_each = var.texts
  name     = "a${each.key}"
  text     = each.value
}

resource "corpus_thing" "same_key" {
  for_each = var.texts
  name     = "s${each.key}"

  lifecycle {
    replace_triggered_by = [corpus_thing.a[each.key].text]
  }
}

resource "corpus_thing" "any" {
  name = "any"

  lifecycle {
    replace_triggered_by = [corpus_thing.a]
  }
}
# step: apply
# variable: texts = {"x": "1", "y": "2"}
