# The option -replace with an object that does not exist, and with a resource that has instances.

# step: apply
resource "corpus_thing" "a" {
  count = 2
  name  = "a${count.index}"
}
# step: plan -replace=corpus_thing.b
# step: plan -replace=corpus_thing.a
