# A list block finds the objects of a service.
# terraform: 1.14: list resources
# tofu: no: it has no list resources

# step: apply
resource "corpus_thing" "a" {
  for_each = toset(["x1", "x2", "y1"])
  name     = each.key
}
# step: query
# file: all.tfquery.hcl
list "corpus_thing" "all" {
  provider = corpus
}

list "corpus_thing" "some" {
  provider         = corpus
  include_resource = true

  config {
    prefix = "x"
  }
}

list "corpus_thing" "one" {
  provider = corpus
  limit    = 1
}
