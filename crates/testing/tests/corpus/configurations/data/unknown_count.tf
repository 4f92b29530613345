# A data source that is read during apply has unknown results, so it cannot be a for_each.

# step: plan
resource "corpus_thing" "a" {
  name = "a"
}

data "corpus_items" "all" {
  names = [corpus_thing.a.id]
}

resource "corpus_thing" "b" {
  for_each = data.corpus_items.all.by_name
  name     = each.key
}
