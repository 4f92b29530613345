# An object that is no longer configured and was deleted outside of Terraform.

# step: apply
resource "corpus_thing" "a" {
  name = "a"
}
# step: apply
# delete: main a-1
# Nothing is left.
