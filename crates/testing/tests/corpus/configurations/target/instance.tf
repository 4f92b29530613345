# A target can be an instance.

# step: apply -target=corpus_thing.a[1]
resource "corpus_thing" "a" {
  count = 3
  name  = "a${count.index}"
}
# step: plan
