# The keys in replace_triggered_by can contain brackets and quotes, and can be expressions.

# step: apply
locals {
  keys = ["a]b", "c\"[d"]
}

resource "corpus_thing" "a" {
  for_each = toset(local.keys)
  name     = substr(each.key, 0, 1)
}

resource "corpus_thing" "b" {
  for_each = toset(local.keys)
  name     = "b${substr(each.key, 0, 1)}"

  lifecycle {
    replace_triggered_by = [corpus_thing.a["c\"[d"], corpus_thing.a[each.key].text]
  }
}
# step: plan
locals {
  keys = ["a]b", "c\"[d"]
}

resource "corpus_thing" "a" {
  for_each = toset(local.keys)
  name     = substr(each.key, 0, 1)
  text     = each.key == "a]b" ? "changed" : null
}

resource "corpus_thing" "b" {
  for_each = toset(local.keys)
  name     = "b${substr(each.key, 0, 1)}"

  lifecycle {
    replace_triggered_by = [corpus_thing.a["c\"[d"], corpus_thing.a[each.key].text]
  }
}
