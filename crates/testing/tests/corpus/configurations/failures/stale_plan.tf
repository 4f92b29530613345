# A plan cannot be applied after the state has changed. A plan that changes nothing can be applied again.
# show: calls

# step: apply_twice
resource "corpus_thing" "a" {
  name = "a"
}
# step: apply_twice -refresh-only
# step: apply_twice -refresh-only
# change: main a-1 text "changed outside of Terraform"
# step: apply_twice
# step: apply_twice
# step: apply
