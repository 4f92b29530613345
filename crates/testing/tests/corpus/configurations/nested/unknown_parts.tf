# Unknown values inside of nested attributes, and an unknown list.

# step: apply
resource "corpus_thing" "a" {
  name = "a"
}

resource "corpus_nested" "b" {
  name    = "b"
  owner   = { name = corpus_thing.a.id }
  disks   = [{ size = corpus_thing.a.size }, { size = 2 }]
  rules   = [{ port = corpus_thing.a.revision }, { port = 443 }]
  volumes = { a = { path = corpus_thing.a.id } }
}

resource "corpus_nested" "c" {
  name  = "c"
  disks = [for i in range(corpus_thing.a.revision) : { size = i }]
}
