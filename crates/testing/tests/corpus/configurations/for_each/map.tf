# A map: a changed value updates its instance only.

# step: apply
# variable: texts = {"a": "1", "b": "2"}
variable "texts" {
  type = map(string)
}

resource "corpus_thing" "a" {
  for_each = var.texts
  name     = each.key
  text     = each.value
}
# step: apply
# variable: texts = {"a": "1", "b": "changed", "c": "3"}
