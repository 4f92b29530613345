# If the old object cannot be deleted, no new object is created.

# step: apply
# variable: zone = "a"
variable "zone" {}

resource "corpus_thing" "a" {
  name = "a"
  zone = var.zone
  fail = "delete"
}
# step: apply
# variable: zone = "b"
