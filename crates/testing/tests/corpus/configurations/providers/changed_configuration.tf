# Another service does not have the object, so the plan creates it.

# step: apply
provider "corpus" {
  service = "one"
}

resource "corpus_thing" "a" {
  name = "a"
}
# step: apply
provider "corpus" {
  service = "two"
}

resource "corpus_thing" "a" {
  name = "a"
}
