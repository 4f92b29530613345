# A partially created object is destroyed without a replacement.
# show: calls

# step: apply
resource "corpus_thing" "a" {
  name = "a"
  fail = "partial"
}
# step: apply -destroy
