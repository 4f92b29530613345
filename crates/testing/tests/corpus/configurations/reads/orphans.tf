# The plan of removed instances and resources reads each object once, and that of a destroy as well.
# show: reads

# step: apply
resource "corpus_thing" "a" {
  count = 3
  name  = "a${count.index}"
}

resource "corpus_thing" "b" {
  name = "b"
}

data "corpus_echo" "e" {
  value = "e"
}
# step: plan -destroy
# step: apply
resource "corpus_thing" "a" {
  count = 1
  name  = "a${count.index}"
}
# step: apply -destroy
