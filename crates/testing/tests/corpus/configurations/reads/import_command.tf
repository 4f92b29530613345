# `terraform import` reads the imported object once, and the next plan reads it again.
# tofu: no: it has no removed blocks
# show: reads

# step: apply
resource "corpus_thing" "a" {
  name = "a"
}
# step: apply
removed {
  from = corpus_thing.a

  lifecycle {
    destroy = false
  }
}
# step: import corpus_thing.b a-1
resource "corpus_thing" "b" {
  name = "a"
}
# step: plan
