# Changes of elements of lists, sets and maps.

# step: apply
resource "corpus_nested" "a" {
  name    = "a"
  disks   = [{ size = 1 }, { size = 2 }]
  rules   = [{ port = 80 }, { port = 443 }]
  volumes = { a = {}, b = { path = "/b" } }
}
# step: apply
resource "corpus_nested" "a" {
  name    = "a"
  disks   = [{ size = 1 }, { size = 3 }, { size = 4 }]
  rules   = [{ port = 443, note = "n" }, { port = 8080 }]
  volumes = { b = { path = "/c" }, c = {} }
}
# step: apply
resource "corpus_nested" "a" {
  name    = "a"
  disks   = []
  volumes = {}
}
