# The nested attributes and blocks of a data source.

# step: apply
data "corpus_items" "all" {
  names = ["a1", "b1", "a2"]

  filter {
    prefix = "a"
  }
}

output "names" {
  value = data.corpus_items.all.items[*].name
}

output "key" {
  value     = data.corpus_items.all.by_name["a2"].key
  sensitive = true
}

resource "corpus_thing" "each" {
  for_each = toset([for item in data.corpus_items.all.items : item.name])
  name     = each.key
}
