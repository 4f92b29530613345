# A resource without count becomes its instance 0 if it gets one.

# step: apply
resource "corpus_thing" "a" {
  name = "a"
}
# step: apply
resource "corpus_thing" "a" {
  count = 2
  name  = count.index == 0 ? "a" : "b"
}
