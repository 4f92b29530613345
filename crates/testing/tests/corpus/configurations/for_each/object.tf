# An object with values of different types.

# step: apply
resource "corpus_thing" "a" {
  for_each = {
    one = { text = "first", size = 1 }
    two = { text = "second", size = null }
  }
  name = each.key
  text = each.value.text
  size = each.value.size
}
