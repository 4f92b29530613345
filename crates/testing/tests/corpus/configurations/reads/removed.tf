# The plan of a removed block without destroy.
# tofu: no: it has no removed blocks
# show: reads

# step: apply
resource "corpus_thing" "a" {
  count = 2
  name  = "a${count.index}"
}
# step: plan
removed {
  from = corpus_thing.a

  lifecycle {
    destroy = false
  }
}
# step: plan -refresh-only
# step: plan -destroy
# step: apply
