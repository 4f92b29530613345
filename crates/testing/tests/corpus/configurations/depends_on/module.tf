# A module waits for a resource, and its objects are stored with the dependency.
# show: calls

# step: apply
resource "corpus_thing" "a" {
  name = "a"
}

module "m" {
  source     = "./m"
  depends_on = [corpus_thing.a]
}

resource "corpus_thing" "after" {
  name       = "after"
  depends_on = [module.m]
}
# file: m/main.tf
resource "corpus_thing" "b" {
  name = "b"
}

resource "corpus_thing" "c" {
  name = "c"
  text = corpus_thing.b.id
}
# step: apply -destroy
