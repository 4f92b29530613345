# A data source in a module, whose result decides about the objects of another.

# step: apply
module "names" {
  source = "./names"
}

resource "corpus_thing" "a" {
  for_each = module.names.all
  name     = each.key
}
# file: names/main.tf
data "corpus_items" "all" {
  names = ["x", "y"]
}

output "all" {
  value = toset(keys(data.corpus_items.all.by_name))
}
