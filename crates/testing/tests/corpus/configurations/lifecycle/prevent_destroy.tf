# A plan that destroys or replaces the object is an error.

# step: apply
# variable: zone = "a"
variable "zone" {}

resource "corpus_thing" "a" {
  name = "a"
  zone = var.zone

  lifecycle {
    prevent_destroy = true
  }
}
# step: plan -destroy
# step: plan
# variable: zone = "b"
# step: apply
resource "corpus_thing" "b" {
  name = "b"
}

variable "zone" {}
